; Any comment directly above documents. The first comment of a file describes the file when it is a doc comment and no
; licence, or when it says so.
(comment) @comment
(program . (comment) @doc.file (#match? @doc.file "^/\\*\\*") (#not-match? @doc.file "(?i)copyright|licen[sc]e"))
(program (comment) @doc.file
  (#match? @doc.file "^/\\*\\*[\\s\\S]*@(file|fileoverview|overview|module|packageDocumentation)\\b"))
(export_statement) @wrapper

; Functions.
(export_statement "export" @visibility declaration: [
  (function_declaration name: (_) @name body: (_) @body)
  (generator_function_declaration name: (_) @name body: (_) @body)] @item.function)
[(function_declaration name: (_) @name body: (_) @body)
 (generator_function_declaration name: (_) @name body: (_) @body)] @item.function

; Classes and their members.
(export_statement "export" @visibility
  declaration: (class_declaration name: (_) @name body: (_) @body) @item.class)
(class_declaration name: (_) @name body: (_) @body) @item.class
(class_body (method_definition name: (_) @name body: (_) @body) @item.constructor (#eq? @name "constructor"))
(class_body (method_definition ["get" "set"] name: (_) @name body: (_) @body) @item.property)
(class_body (method_definition name: (_) @name body: (_) @body) @item.method)
(class_body (field_definition property: (_) @name value: [
  (arrow_function body: [(statement_block) @body (expression) @value])
  (function_expression body: (_) @body)]) @item.method)
(class_body (field_definition property: (_) @name value: (_ !body) @value) @item.field)
(class_body (field_definition property: (_) @name !value) @item.field)

; Functions and classes bound to a name. `(_ !body)` is any value but a function or class; what `require` brings in is
; an import, no declaration.
(export_statement "export" @visibility declaration: (_ . (variable_declarator name: (identifier) @name value: [
  (arrow_function body: [(statement_block) @body (expression) @value])
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)]) .) @item.function)
(_ . (variable_declarator name: (identifier) @name value: [
  (arrow_function body: [(statement_block) @body (expression) @value])
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)]) .) @item.function
(export_statement "export" @visibility
  declaration: (_ . (variable_declarator name: (identifier) @name value: (class body: (_) @body)) .) @item.class)
(_ . (variable_declarator name: (identifier) @name value: (class body: (_) @body)) .) @item.class
(_ . (variable_declarator name: (identifier) @name value: (call_expression
    function: (_) @_wrap
    arguments: (arguments . [
      (arrow_function body: [(statement_block) @body (expression) @value])
      (function_expression body: (_) @body)])) (#match? @_wrap "(^|\\.)(memo|forwardRef|observer)$")) .) @item.function

; Other values at the top of the module.
(export_statement "export" @visibility declaration: (lexical_declaration "const"
  . (variable_declarator name: (_) @name value: (_ !body) @value) .) @item.constant
  (#not-match? @value "^(React\\.)?(memo|forwardRef|observer)(<[^(]*>)?\\(\\s*(async\\b|function\\b|\\(|\\w+\\s*=>)"))
(export_statement "export" @visibility declaration: [
  (lexical_declaration "let" . (variable_declarator name: (_) @name value: (_ !body)? @value) .)
  (variable_declaration . (variable_declarator name: (_) @name value: (_ !body)? @value) .)] @item.variable)
(program (lexical_declaration "const"
  . (variable_declarator name: (identifier) @name value: (_ !body) @value) .) @item.constant
  (#not-match? @value "^(require\\(|(React\\.)?(memo|forwardRef|observer)(<[^(]*>)?\\(\\s*(async\\b|function\\b|\\(|\\w+\\s*=>))"))
(program [
  (lexical_declaration "let" . (variable_declarator name: (identifier) @name value: (_ !body) @value) .)
  (variable_declaration . (variable_declarator name: (identifier) @name value: (_ !body) @value) .)] @item.variable
  (#not-match? @value "^require\\("))
(program [
  (lexical_declaration "let" . (variable_declarator name: (identifier) @name !value) .)
  (variable_declaration . (variable_declarator name: (identifier) @name !value) .)] @item.variable)

(ERROR (lexical_declaration "const"
  . (variable_declarator name: (identifier) @name value: (_ !body) @value) .) @item.constant
  (#not-match? @value "^require\\("))

; Several in one declaration stand for themselves.
(_ (variable_declarator) . (variable_declarator name: (identifier) @name value: [
  (arrow_function body: [(statement_block) @body (expression) @value])
  (function_expression body: (_) @body)]) @item.function)
(_ . (variable_declarator name: (identifier) @name value: [
  (arrow_function body: [(statement_block) @body (expression) @value])
  (function_expression body: (_) @body)]) @item.function . (variable_declarator))
(program [
  (_ (variable_declarator) . (variable_declarator name: (identifier) @name value: (_ !body) @value) @item.variable)
  (_ . (variable_declarator name: (identifier) @name value: (_ !body) @value) @item.variable . (variable_declarator))
  (export_statement (_
    (variable_declarator) . (variable_declarator name: (identifier) @name value: (_ !body) @value) @item.variable))
  (export_statement (_
    . (variable_declarator name: (identifier) @name value: (_ !body) @value) @item.variable . (variable_declarator)))
  ] (#not-match? @value "^require\\("))

; A function that has a name and is given to a call at the top: `defineGetter(req, 'ip', function ip() { … })`.
(program (expression_statement (call_expression
  arguments: (arguments (function_expression name: (_) @name body: (_) @body)))) @item.function)

; The default export without a name.
(export_statement "export" @visibility "default" @name value: [
  (arrow_function body: [(statement_block) @body (expression) @value])
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)]) @item.function
(export_statement "export" @visibility "default" @name value: (class body: (_) @body)) @item.class
(export_statement "export" @visibility "default" @name value: (object) @value) @item.object
(export_statement "export" @visibility "default" @name value: (_ !body) @value) @item.constant

; A module that is a class goes by the class's own name.
(expression_statement (assignment_expression
  left: (member_expression) @visibility
  right: (class name: (_) @name body: (_) @body))
  (#match? @visibility "^(module\\.)?exports$")) @item.class

; Assigned: `exports.x` is `x`, all else goes by its full path.
(expression_statement (assignment_expression
  left: (member_expression object: (_) @visibility property: (_) @name)
  right: [(arrow_function body: [(statement_block) @body (expression) @value])
          (function_expression body: (_) @body)
          (generator_function body: (_) @body)])
  (#match? @visibility "^(module\\.)?exports$")) @item.function
(expression_statement (assignment_expression
  left: (member_expression) @name
  right: [(arrow_function body: [(statement_block) @body (expression) @value])
          (function_expression body: (_) @body)
          (generator_function body: (_) @body)])
  (#not-match? @name "^((module\\.)?exports\\.[^.]*|this\\..*)$")) @item.function
(expression_statement (assignment_expression
  left: (member_expression object: (_) @visibility property: (_) @name)
  right: (class body: (_) @body))
  (#match? @visibility "^(module\\.)?exports$")) @item.class
(expression_statement (assignment_expression left: (member_expression) @name right: (class body: (_) @body))
  (#not-match? @name "^((module\\.)?exports\\.[^.]*|this\\..*)$")) @item.class
(program (expression_statement (assignment_expression
  left: (member_expression object: (_) @visibility property: (_) @name)
  right: (_ !body) @value)
  (#match? @visibility "^(module\\.)?exports$")) @item.constant)
(program (expression_statement (assignment_expression
  left: (member_expression) @name
  right: (assignment_expression right: (function_expression body: (_) @body)))) @item.function)
(program (expression_statement (assignment_expression left: (member_expression) @name right: (_ !body) @value)
  (#not-match? @name "^((module\\.)?exports\\.[^.]*|module\\.exports|this\\..*)$")
  (#not-match? @value "^[\\w.$]+\\s*=\\s*(async\\s+)?function")) @item.property)

; `module.exports = …`: a list of names is its own interface.
(program (expression_statement (assignment_expression
  left: (member_expression) @name
  right: (object . (shorthand_property_identifier)))
  (#eq? @name "module.exports")) @item.object)
(program (expression_statement (assignment_expression
  left: (member_expression) @name
  right: [
    (object . [(pair) (method_definition) (spread_element)])
    (identifier) (member_expression) (call_expression) (new_expression) (array) (assignment_expression) (string)
    (template_string) (ternary_expression) (binary_expression) (await_expression)] @value)
  (#eq? @name "module.exports")) @item.object)

; The functions of an object literal that has a name; they are shown one by one, so the literal itself is elided.
; `const proto = module.exports = { … }` is one too.
(program [
  (_ (variable_declarator value: (object [
    (method_definition) (pair value: [(arrow_function) (function_expression)])]) @body) .) @item.object
  (_ (variable_declarator value: (assignment_expression right: (object [
    (method_definition) (pair value: [(arrow_function) (function_expression)])]) @body)) .) @item.object
  (expression_statement (assignment_expression right: (object [
    (method_definition) (pair value: [(arrow_function) (function_expression)])]) @body)) @item.object
  (expression_statement (assignment_expression right: (assignment_expression right: (object [
    (method_definition) (pair value: [(arrow_function) (function_expression)])]) @body))) @item.object
  (export_statement value: (object [
    (method_definition) (pair value: [(arrow_function) (function_expression)])]) @body) @item.object
  (export_statement declaration: (_ (variable_declarator value: (object [
    (method_definition) (pair value: [(arrow_function) (function_expression)])]) @body) .) @item.object)])
(program [
  (_ (variable_declarator value: (object (method_definition ["get" "set"] name: (_) @name body: (_) @body) @item.property)))
  (_ (variable_declarator value: (assignment_expression right: (object (method_definition ["get" "set"] name: (_) @name body: (_) @body) @item.property))))
  (expression_statement (assignment_expression right: (object (method_definition ["get" "set"] name: (_) @name body: (_) @body) @item.property)))
  (expression_statement (assignment_expression right: (assignment_expression right: (object (method_definition ["get" "set"] name: (_) @name body: (_) @body) @item.property))))
  (export_statement value: (object (method_definition ["get" "set"] name: (_) @name body: (_) @body) @item.property))
  (export_statement declaration: (_ (variable_declarator value: (object (method_definition ["get" "set"] name: (_) @name body: (_) @body) @item.property))))])
(program [
  (_ (variable_declarator value: (object [
    (method_definition name: (_) @name body: (_) @body) @item.method
    (pair key: (_) @name value: [
      (arrow_function body: [(statement_block) @body (expression) @value])
      (function_expression body: (_) @body)]) @item.method])))
  (_ (variable_declarator value: (assignment_expression right: (object [
    (method_definition name: (_) @name body: (_) @body) @item.method
    (pair key: (_) @name value: [
      (arrow_function body: [(statement_block) @body (expression) @value])
      (function_expression body: (_) @body)]) @item.method]))))
  (expression_statement (assignment_expression right: (object [
    (method_definition name: (_) @name body: (_) @body) @item.method
    (pair key: (_) @name value: [
      (arrow_function body: [(statement_block) @body (expression) @value])
      (function_expression body: (_) @body)]) @item.method])))
  (expression_statement (assignment_expression right: (assignment_expression right: (object [
    (method_definition name: (_) @name body: (_) @body) @item.method
    (pair key: (_) @name value: [
      (arrow_function body: [(statement_block) @body (expression) @value])
      (function_expression body: (_) @body)]) @item.method]))))
  (export_statement value: (object [
    (method_definition name: (_) @name body: (_) @body) @item.method
    (pair key: (_) @name value: [
      (arrow_function body: [(statement_block) @body (expression) @value])
      (function_expression body: (_) @body)]) @item.method]))
  (export_statement declaration: (_ (variable_declarator value: (object [
    (method_definition name: (_) @name body: (_) @body) @item.method
    (pair key: (_) @name value: [
      (arrow_function body: [(statement_block) @body (expression) @value])
      (function_expression body: (_) @body)]) @item.method]))))])
