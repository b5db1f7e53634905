((comment) @comment @below (#match? @comment "^\\(\\*\\*([^*]|$)"))
((compilation_unit . (comment) @doc.file) (#match? @doc.file "^\\(\\*\\*[^*]"))
((compilation_unit . (comment) . (comment) @doc.file) (#match? @doc.file "^\\(\\*\\*[^*]"))

; Items are bindings, for one definition can hold several; the words before them are drawn to them.
(type_definition ["type" "nonrec" "and"] @attribute)
(module_definition ["module" "rec" "and"] @attribute)
(class_definition ["class" "and"] @attribute)
(class_type_definition ["class" "type" "and"] @attribute)

(external [(value_name) (parenthesized_operator)] @name) @item.function
((value_specification [(value_name) (parenthesized_operator)] @name type: (_) @_type) @item.function
  (#match? @_type "->"))
((value_specification [(value_name) (parenthesized_operator)] @name type: (_) @_type) @item.constant
  (#not-match? @_type "->"))
(type_binding name: (_) @name) @item.type
(exception_definition (constructor_declaration (constructor_name) @name)) @item.type

(module_binding (module_name) @name module_type: (signature) @body) @item.module
(module_binding (module_name) @name) @item.module
(module_type_definition (module_type_name) @name body: (signature) @body) @item.interface
(module_type_definition (module_type_name) @name) @item.interface
(include_module_type) @name @item.instruction

(class_binding (class_name) @name) @item.class
(class_type_binding (class_type_name) @name) @item.interface
(method_specification "private"? @visibility (method_name) @name) @item.method
