((comment) @comment @below (#match? @comment "^\\(\\*\\*([^*]|$)"))
((compilation_unit . (comment) @doc.file) (#match? @doc.file "^\\(\\*\\*[^*]"))
((compilation_unit . (comment) . (comment) @doc.file) (#match? @doc.file "^\\(\\*\\*[^*]"))

; Items are bindings, for one definition can hold several; the words before them are drawn to them.
(value_definition ["let" "rec" "and" "%" (attribute) (attribute_id)] @attribute)
(type_definition ["type" "nonrec" "and"] @attribute)
(module_definition ["module" "rec" "and"] @attribute)
(class_definition ["class" "and"] @attribute)
(class_type_definition ["class" "type" "and"] @attribute)


(compilation_unit (value_definition (let_binding pattern: [(value_name) (parenthesized_operator)] @name . [(parameter) (abstract_type)] "=" @signature body: (_) @body) @item.function))
(compilation_unit (value_definition (let_binding pattern: [(value_name) (parenthesized_operator)] @name . type: (_)? . "=" @signature body: [(fun_expression) (function_expression)] @body) @item.function))
((compilation_unit (value_definition (let_binding pattern: [(value_name) (parenthesized_operator)] @name . type: (_)? . body: (_) @value) @item.constant))
  (#not-match? @value "^(fun|function)\\b"))
(compilation_unit (value_definition (let_binding pattern: [(parenthesized_pattern) (tuple_pattern) (record_pattern) (typed_pattern)] @name . body: (_) @value) @item.constant))
(compilation_unit (value_definition (attribute_id) (let_binding pattern: (string) @name "=" @signature body: (_) @body) @item.test))

(structure (value_definition (let_binding pattern: [(value_name) (parenthesized_operator)] @name . [(parameter) (abstract_type)] "=" @signature body: (_) @body) @item.function))
(structure (value_definition (let_binding pattern: [(value_name) (parenthesized_operator)] @name . type: (_)? . "=" @signature body: [(fun_expression) (function_expression)] @body) @item.function))
((structure (value_definition (let_binding pattern: [(value_name) (parenthesized_operator)] @name . type: (_)? . body: (_) @value) @item.constant))
  (#not-match? @value "^(fun|function)\\b"))
(structure (value_definition (let_binding pattern: [(parenthesized_pattern) (tuple_pattern) (record_pattern) (typed_pattern)] @name . body: (_) @value) @item.constant))
(structure (value_definition (attribute_id) (let_binding pattern: (string) @name "=" @signature body: (_) @body) @item.test))

; What follows an error.
(ERROR (value_definition (let_binding pattern: (value_name) @name . [(parameter) (abstract_type)] "=" @signature body: (_) @body) @item.function))
(ERROR (let_binding pattern: (value_name) @name . [(parameter) (abstract_type)] "=" @signature body: (_) @body) @item.function)

(external [(value_name) (parenthesized_operator)] @name) @item.function
((value_specification [(value_name) (parenthesized_operator)] @name type: (_) @_type) @item.function
  (#match? @_type "->"))
((value_specification [(value_name) (parenthesized_operator)] @name type: (_) @_type) @item.constant
  (#not-match? @_type "->"))
(type_binding name: (_) @name) @item.type
(exception_definition (constructor_declaration (constructor_name) @name)) @item.type

(module_binding (module_name) @name module_type: (signature) @body) @item.module
(module_binding (module_name) @name body: (structure) @body) @item.module
(module_binding (module_name) @name) @item.module
(module_type_definition (module_type_name) @name body: (signature) @body) @item.interface
(module_type_definition (module_type_name) @name) @item.interface
(include_module module: [(module_path) (module_application)]) @name @item.instruction
(include_module_type) @name @item.instruction

(class_binding (class_name) @name body: (_) @body) @item.class
(class_type_binding (class_type_name) @name body: (_) @body) @item.interface
(method_definition "private"? @visibility (method_name) @name body: (_)? @body) @item.method
(method_specification "private"? @visibility (method_name) @name) @item.method
(instance_variable_definition (instance_variable_name) @name body: (_)? @value) @item.field
