((line_comment) @comment (#match? @comment "^///([^/]|$)"))
((block_comment) @comment (#match? @comment "^/\\*\\*[^*/]"))
((line_comment) @doc.file (#match? @doc.file "^//!"))
((block_comment) @doc.file (#match? @doc.file "^/\\*!"))
(attribute_item) @attribute

(function_item (visibility_modifier)? @visibility name: (_) @name body: (_) @body) @item.function
(function_signature_item (visibility_modifier)? @visibility name: (_) @name) @item.function
(struct_item (visibility_modifier)? @visibility name: (_) @name) @item.struct
(enum_item (visibility_modifier)? @visibility name: (_) @name) @item.enum
(union_item (visibility_modifier)? @visibility name: (_) @name) @item.union
(type_item (visibility_modifier)? @visibility name: (_) @name) @item.type
(associated_type name: (_) @name) @item.type
(trait_item (visibility_modifier)? @visibility name: (_) @name body: (_) @body) @item.trait
(impl_item trait: (_)? @trait type: (_) @name body: (_) @body) @item.impl
(mod_item (visibility_modifier)? @visibility name: (_) @name body: (_) @body) @item.module
(mod_item (visibility_modifier)? @visibility name: (_) @name !body) @item.module
(const_item (visibility_modifier)? @visibility name: (_) @name value: (_)? @value) @item.constant
(static_item (visibility_modifier)? @visibility name: (_) @name value: (_)? @value) @item.constant
(macro_definition name: (_) @name) @item.macro
(foreign_mod_item (extern_modifier) @name body: (_) @body) @item.module
