; For TypeScript and TSX alike: no node that only one of the grammars has.
; Any comment directly above documents. The first comment of a file describes the file when it is a doc comment and no
; licence, or when it says so.
(comment) @comment
(program . (comment) @doc.file (#match? @doc.file "^/\\*\\*") (#not-match? @doc.file "(?i)copyright|licen[sc]e"))
(program (comment) @doc.file
  (#match? @doc.file "^/\\*\\*[\\s\\S]*@(file|fileoverview|overview|module|packageDocumentation)\\b"))
(export_statement) @wrapper
(ambient_declaration) @wrapper
(class_body (decorator) @attribute)

; Functions and overloads.
(export_statement "export" @visibility declaration: [
  (function_declaration name: (_) @name body: (_) @body)
  (generator_function_declaration name: (_) @name body: (_) @body)
  (function_signature name: (_) @name)] @item.function)
[(function_declaration name: (_) @name body: (_) @body)
 (generator_function_declaration name: (_) @name body: (_) @body)
 (function_signature name: (_) @name)] @item.function

; Types are their own interface and shown whole.
(export_statement "export" @visibility declaration: (interface_declaration name: (_) @name) @item.interface)
(interface_declaration name: (_) @name) @item.interface
(export_statement "export" @visibility declaration: (type_alias_declaration name: (_) @name) @item.type)
(type_alias_declaration name: (_) @name) @item.type
(export_statement "export" @visibility declaration: (enum_declaration name: (_) @name) @item.enum)
(enum_declaration name: (_) @name) @item.enum
; The members of a type that is too long to be shown whole, also of the parts of an intersection. The list stands twice:
; with any node around it, members of classes would be found again.
(interface_body [
  (method_signature name: (_) @name) @item.method
  (property_signature name: (_) @name type: (type_annotation (function_type))) @item.method
  (property_signature name: (_) @name) @item.field
  (index_signature name: (_) @name) @item.field
  (call_signature parameters: (_) @name) @item.method
  (construct_signature "new" @name) @item.method
]) @detail
(object_type [
  (method_signature name: (_) @name) @item.method
  (property_signature name: (_) @name type: (type_annotation (function_type))) @item.method
  (property_signature name: (_) @name) @item.field
  (index_signature name: (_) @name) @item.field
  (call_signature parameters: (_) @name) @item.method
  (construct_signature "new" @name) @item.method
]) @detail
(enum_body [
  (property_identifier) @name @item.variant
  (enum_assignment name: (_) @name) @item.variant
]) @detail

; Namespaces, ambient modules and `declare global`.
(export_statement "export" @visibility declaration: (internal_module name: (_) @name body: (_) @body) @item.namespace)
(internal_module name: (_) @name body: (_) @body) @item.namespace
(module name: (_) @name body: (_) @body) @item.module
(module name: (_) @name !body) @item.module
(ambient_declaration "global" @name (statement_block) @body) @item.module

; Classes and their members.
(export_statement "export" @visibility declaration: [
  (class_declaration name: (_) @name body: (_) @body)
  (abstract_class_declaration name: (_) @name body: (_) @body)] @item.class)
[(class_declaration name: (_) @name body: (_) @body)
 (abstract_class_declaration name: (_) @name body: (_) @body)] @item.class
(class_body (method_definition (accessibility_modifier)? @visibility name: (_) @name body: (_) @body) @item.constructor
  (#eq? @name "constructor"))
(class_body (method_signature (accessibility_modifier)? @visibility name: (_) @name) @item.constructor
  (#eq? @name "constructor"))
(class_body
  (method_definition (accessibility_modifier)? @visibility ["get" "set"] name: (_) @name body: (_) @body)
  @item.property)
(class_body (method_definition (accessibility_modifier)? @visibility name: (_) @name body: (_) @body) @item.method)
(class_body [
  (method_signature (accessibility_modifier)? @visibility name: (_) @name)
  (abstract_method_signature (accessibility_modifier)? @visibility name: (_) @name)] @item.method)
(class_body (public_field_definition (accessibility_modifier)? @visibility name: (_) @name value: [
  (arrow_function body: [(statement_block) @body (expression) @value])
  (function_expression body: (_) @body)]) @item.method)
; A field of a type of functions is called as a method is; a type without parameters in view says so by its name.
(class_body (public_field_definition (accessibility_modifier)? @visibility
  name: (_) @name type: (type_annotation (function_type))) @item.method)
(class_body (public_field_definition (accessibility_modifier)? @visibility name: (_) @name type: (type_annotation
  [(type_identifier) @_type (generic_type . (type_identifier) @_type)])) @item.method
  (#match? @_type "(Callback|Fn|Func|Function|Handler|Listener|Middleware)(Interface|Type)?$"))
(class_body (public_field_definition (accessibility_modifier)? @visibility
  name: (_) @name value: (_ !body) @value) @item.field)
(class_body (public_field_definition (accessibility_modifier)? @visibility name: (_) @name !value) @item.field)
(class_body (index_signature name: (_) @name) @item.field)

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
(export_statement "export" @visibility declaration: (_ . (variable_declarator name: (identifier) @name value:
  (call_expression
    function: (_) @_wrap
    arguments: (arguments . [
      (arrow_function body: [(statement_block) @body (expression) @value])
      (function_expression body: (_) @body)])) (#match? @_wrap "(^|\\.)(memo|forwardRef|observer)$")) .)
  @item.function)
(_ . (variable_declarator name: (identifier) @name value:
  (call_expression
    function: (_) @_wrap
    arguments: (arguments . [
      (arrow_function body: [(statement_block) @body (expression) @value])
      (function_expression body: (_) @body)])) (#match? @_wrap "(^|\\.)(memo|forwardRef|observer)$")) .)
  @item.function

; Other values at the top of the module, and what a namespace or an ambient declaration says there is.
(export_statement "export" @visibility declaration: (lexical_declaration "const"
  . (variable_declarator name: (_) @name value: (_ !body) @value) .) @item.constant
  (#not-match? @value "^(React\\.)?(memo|forwardRef|observer)(<[^(]*>)?\\(\\s*(async\\b|function\\b|\\(|\\w+\\s*=>)"))
(export_statement "export" @visibility declaration:
  (lexical_declaration "const" . (variable_declarator name: (_) @name !value) .) @item.constant)
(export_statement "export" @visibility declaration: [
  (lexical_declaration "let" . (variable_declarator name: (_) @name value: (_ !body)? @value) .)
  (variable_declaration . (variable_declarator name: (_) @name value: (_ !body)? @value) .)] @item.variable)
(ambient_declaration
  (lexical_declaration "const" . (variable_declarator name: (_) @name value: (_)? @value) .) @item.constant)
(ambient_declaration [
  (lexical_declaration "let" . (variable_declarator name: (_) @name) .)
  (variable_declaration . (variable_declarator name: (_) @name) .)] @item.variable)
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
(program [
  (_ (variable_declarator) . (variable_declarator name: (identifier) @name value: (_ !body)? @value) @item.variable)
  (_ . (variable_declarator name: (identifier) @name value: (_ !body)? @value) @item.variable . (variable_declarator))
  (export_statement (_
    (variable_declarator) . (variable_declarator name: (identifier) @name value: (_ !body)? @value) @item.variable))
  (export_statement (_
    . (variable_declarator name: (identifier) @name value: (_ !body)? @value) @item.variable . (variable_declarator)))
  ] (#not-match? @value "^require\\("))

; The default export without a name.
(export_statement "export" @visibility "default" @name value: [
  (arrow_function body: [(statement_block) @body (expression) @value])
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)]) @item.function
(export_statement "export" @visibility "default" @name value: (class body: (_) @body)) @item.class
(export_statement "export" @visibility "default" @name value: (object) @value) @item.object
(export_statement "export" @visibility "default" @name value: (_ !body) @value) @item.constant

; Assigned.
(program (expression_statement (assignment_expression
  left: (member_expression) @name
  right: [(arrow_function body: [(statement_block) @body (expression) @value])
          (function_expression body: (_) @body)])) @item.function)
(program (expression_statement (assignment_expression
  left: (member_expression) @name
  right: (_ !body) @value)) @item.property)

; The functions of an object literal that has a name; they are shown one by one, so the literal itself is elided.
(program [
  (_ (variable_declarator value: (object [
    (method_definition) (pair value: [(arrow_function) (function_expression)])]) @body) .) @item.object
  (export_statement value: (object [
    (method_definition) (pair value: [(arrow_function) (function_expression)])]) @body) @item.object
  (export_statement declaration: (_ (variable_declarator value: (object [
    (method_definition) (pair value: [(arrow_function) (function_expression)])]) @body) .) @item.object)])
(program [
  (_ (variable_declarator value: (object [
    (method_definition name: (_) @name body: (_) @body) @item.method
    (pair key: (_) @name value: [
      (arrow_function body: [(statement_block) @body (expression) @value])
      (function_expression body: (_) @body)]) @item.method])))
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
