; Only documentation comments document; attributes are part of their item.
((comment) @comment (#match? @comment "^(///([^/]|$)|/\\*\\*[^*/])"))

(namespace_declaration name: (_) @name body: (_) @body) @item.namespace
(file_scoped_namespace_declaration name: (_) @name) @item.namespace

(class_declaration (modifier ["public" "private" "protected" "internal" "file"])? @visibility name: (_) @name body: (_)? @body) @item.class
(struct_declaration (modifier ["public" "private" "protected" "internal" "file"])? @visibility name: (_) @name body: (_)? @body) @item.struct
(record_declaration (modifier ["public" "private" "protected" "internal" "file"])? @visibility name: (_) @name body: (_)? @body) @item.class
; What `macros/csharp.rs` makes of `extension(Type receiver) {`.
(interface_declaration name: (_) @name body: (_) @body (#match? @name "^_+$")) @item.impl
(interface_declaration (modifier ["public" "private" "protected" "internal" "file"])? @visibility name: (_) @name body: (_)? @body) @item.interface
(enum_declaration (modifier ["public" "private" "protected" "internal" "file"])? @visibility name: (_) @name) @item.enum
(delegate_declaration (modifier ["public" "private" "protected" "internal" "file"])? @visibility name: (_) @name) @item.type

; A body is a block or the expression behind an arrow.
(method_declaration (modifier ["public" "private" "protected" "internal"])? @visibility name: (_) @name) @item.method
(method_declaration body: (block) @body) @item.method
(method_declaration body: (arrow_expression_clause (_) @body)) @item.method
; A call of another constructor is no part of the signature.
(constructor_declaration (modifier ["public" "private" "protected" "internal"])? @visibility name: (_) @name parameters: (_) @signature) @item.constructor
(constructor_declaration body: (block) @body) @item.constructor
(constructor_declaration body: (arrow_expression_clause) @body) @item.constructor
(destructor_declaration "~" @name name: (_) @name body: (_)? @body) @item.method
(operator_declaration "operator" @name operator: _ @name) @item.method
(operator_declaration body: (block) @body) @item.method
(operator_declaration body: (arrow_expression_clause (_) @body)) @item.method
(conversion_operator_declaration "operator" @name type: (_) @name) @item.method
(conversion_operator_declaration body: (block) @body) @item.method
(conversion_operator_declaration body: (arrow_expression_clause (_) @body)) @item.method
(compilation_unit (global_statement (local_function_statement name: (_) @name body: (_) @body) @item.function))

; `{ get; set; }` belongs to the signature, accessors with bodies do not.
(property_declaration (modifier ["public" "private" "protected" "internal"])? @visibility name: (_) @name) @item.property
(property_declaration accessors: (accessor_list (accessor_declaration body: (_))) @value) @item.property
(property_declaration accessors: (_) value: (_) @value) @item.property
(property_declaration value: (arrow_expression_clause (_) @body)) @item.property
(indexer_declaration (modifier ["public" "private" "protected" "internal"])? @visibility "this" @name) @item.property
(indexer_declaration accessors: (accessor_list (accessor_declaration body: (_))) @value) @item.property
(indexer_declaration value: (arrow_expression_clause (_) @body)) @item.property
(event_declaration (modifier ["public" "private" "protected" "internal"])? @visibility name: (_) @name accessors: (_)? @value) @item.property
(event_field_declaration (modifier ["public" "private" "protected" "internal"])? @visibility
  (variable_declaration (variable_declarator name: (_) @name))) @item.property

(field_declaration (modifier "const") (variable_declaration (variable_declarator name: (_) @name))) @item.constant
(field_declaration (modifier ["public" "private" "protected" "internal"])? @visibility
  (variable_declaration (variable_declarator name: (_) @name))) @item.field
(field_declaration (variable_declaration (variable_declarator name: (_) (_) @value))) @item.field
