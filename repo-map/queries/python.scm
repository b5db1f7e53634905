; Any comment directly above documents; docstrings are captured with their definitions below.
(comment) @comment
(module . (comment)* . (expression_statement . (string) @doc.file .))
(decorator) @attribute

; Definitions. The signature ends with its colon: a comment after it belongs to the body.
(class_definition body: (block (decorated_definition
  (decorator [(identifier) (attribute)] @_decorator)
  definition: (function_definition name: (_) @name ":" @signature body: (_) @body) @item.property)
  (#match? @_decorator "(^|[._])property$")))
(class_definition body: (block
  (function_definition name: (_) @name ":" @signature body: (_) @body) @item.method))
(class_definition body: (block (decorated_definition
  definition: (function_definition name: (_) @name ":" @signature body: (_) @body) @item.method)))
(function_definition name: (_) @name ":" @signature body: (_) @body) @item.function
(function_definition body: (block . (expression_statement . (string) @doc .))) @item.function
(class_definition name: (_) @name ":" @signature body: (_) @body) @item.class
(class_definition body: (block . (expression_statement . (string) @doc .))) @item.class

; Names bound at the top of the module. In a branch only constants count: the rest is a script's own business.
(module (expression_statement
  (assignment left: (identifier) @name right: (_)? @value) @item.constant
  (#match? @name "^_*[A-Z]")))
(module (expression_statement
  (assignment left: [(identifier) (pattern_list)] @name right: (_)? @value) @item.variable))
(ERROR (expression_statement
  (assignment left: (identifier) @name right: (_)? @value) @item.constant
  (#match? @name "^_*[A-Z]")))
(module (if_statement [
  consequence: (block (expression_statement
    (assignment left: (identifier) @name right: (_)? @value) @item.constant))
  [(elif_clause (block (expression_statement
     (assignment left: (identifier) @name right: (_)? @value) @item.constant)))
   (else_clause (block (expression_statement
     (assignment left: (identifier) @name right: (_)? @value) @item.constant)))]
  ] (#match? @name "^_*[A-Z]")))
(module (try_statement [
  body: (block (expression_statement
    (assignment left: (identifier) @name right: (_)? @value) @item.constant))
  (_ (block (expression_statement
    (assignment left: (identifier) @name right: (_)? @value) @item.constant)))
  ] (#match? @name "^_*[A-Z]")))
(type_alias_statement left: (type [(identifier) @name (generic_type . (identifier) @name)])) @item.type

; Fields of a class.
(class_definition body: (block (expression_statement
  (assignment left: [(identifier) (pattern_list)] @name right: (_)? @value) @item.field)))
