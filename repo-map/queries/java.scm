; Any comment directly above documents. A doc comment above `package` describes the package.
(block_comment) @comment
(line_comment) @comment
(program (block_comment) @doc.file . (package_declaration)
  (#match? @doc.file "^/\\*\\*") (#not-match? @doc.file "(?i)copyright|licen[sc]e"))

; Types.
(class_declaration name: (_) @name body: (_) @body) @item.class
(record_declaration name: (_) @name body: (_) @body) @item.struct
(interface_declaration name: (_) @name body: (_) @body) @item.interface
(annotation_type_declaration name: (_) @name body: (_) @body) @item.interface
(enum_declaration name: (_) @name body: (_) @body) @item.enum
(enum_constant name: (_) @name body: (_)? @body) @item.variant

; Members, of declared types only: what an anonymous class holds is the business of its expression.
[(class_declaration body: (class_body (constructor_declaration name: (_) @name body: (_) @body) @item.constructor))
 (class_declaration body: (class_body
   (compact_constructor_declaration name: (_) @name body: (_) @body) @item.constructor))
 (record_declaration body: (class_body (constructor_declaration name: (_) @name body: (_) @body) @item.constructor))
 (record_declaration body: (class_body
   (compact_constructor_declaration name: (_) @name body: (_) @body) @item.constructor))
 (enum_body_declarations (constructor_declaration name: (_) @name body: (_) @body) @item.constructor)]
[(class_declaration body: (class_body (method_declaration name: (_) @name body: (_)? @body) @item.method))
 (record_declaration body: (class_body (method_declaration name: (_) @name body: (_)? @body) @item.method))
 (interface_body (method_declaration name: (_) @name body: (_)? @body) @item.method)
 (enum_body_declarations (method_declaration name: (_) @name body: (_)? @body) @item.method)
 (annotation_type_body (annotation_type_element_declaration name: (_) @name) @item.method)]
[(class_declaration body: (class_body
   (field_declaration declarator: (variable_declarator name: (_) @name value: (_)? @value)) @item.field))
 (record_declaration body: (class_body
   (field_declaration declarator: (variable_declarator name: (_) @name value: (_)? @value)) @item.field))
 (enum_body_declarations
   (field_declaration declarator: (variable_declarator name: (_) @name value: (_)? @value)) @item.field)
 (constant_declaration declarator: (variable_declarator name: (_) @name value: (_)? @value)) @item.field]
; Java 21 and JEP 445: methods without a class around them.
(program (method_declaration name: (_) @name body: (_)? @body) @item.function)

; Who can use them.
(class_declaration (modifiers ["public" "protected" "private"] @visibility)) @item.class
(record_declaration (modifiers ["public" "protected" "private"] @visibility)) @item.struct
(interface_declaration (modifiers ["public" "protected" "private"] @visibility)) @item.interface
(annotation_type_declaration (modifiers ["public" "protected" "private"] @visibility)) @item.interface
(enum_declaration (modifiers ["public" "protected" "private"] @visibility)) @item.enum
(constructor_declaration (modifiers ["public" "protected" "private"] @visibility)) @item.constructor
(compact_constructor_declaration (modifiers ["public" "protected" "private"] @visibility)) @item.constructor
(method_declaration (modifiers ["public" "protected" "private"] @visibility)) @item.method
(field_declaration (modifiers ["public" "protected" "private"] @visibility)) @item.field
