; Documentation: only what rustdoc reads. A plain comment between a doc comment or an attribute and the item would cut
; the item off from them, so it counts as part of the signature.
((line_comment) @comment (#match? @comment "^///([^/]|$)"))
((block_comment) @comment (#match? @comment "^/\\*\\*[^*/]"))
(attribute_item) @attribute
((attribute_item) . (line_comment !doc) @attribute)
((line_comment outer: (_)) . (line_comment !doc) @attribute)
(source_file (line_comment inner: (_)) @doc.file)
(source_file (block_comment inner: (_)) @doc.file)

; Functions: those of traits and impls are methods.
(impl_item body: (declaration_list
  (function_item (visibility_modifier)? @visibility name: (_) @name body: (_) @body) @item.method))
(trait_item body: (declaration_list (function_item name: (_) @name body: (_) @body) @item.method))
(trait_item body: (declaration_list (function_signature_item name: (_) @name) @item.method))
(function_item (visibility_modifier)? @visibility name: (_) @name body: (_) @body) @item.function
(function_signature_item (visibility_modifier)? @visibility name: (_) @name) @item.function

; Types are their own interface and shown whole.
(struct_item (visibility_modifier)? @visibility name: (_) @name) @item.struct
(enum_item (visibility_modifier)? @visibility name: (_) @name) @item.enum
(union_item (visibility_modifier)? @visibility name: (_) @name) @item.union
; The members of a type that is too long to be shown whole.
(struct_item body: (_ (field_declaration (visibility_modifier)? @visibility name: (_) @name) @item.field) @detail)
(union_item body: (_ (field_declaration (visibility_modifier)? @visibility name: (_) @name) @item.field) @detail)
(enum_item body: (_ (enum_variant name: (_) @name) @item.variant) @detail)
(type_item (visibility_modifier)? @visibility name: (_) @name) @item.type
(associated_type name: (_) @name) @item.type

; Containers.
(trait_item (visibility_modifier)? @visibility name: (_) @name body: (_) @body) @item.trait
;   `impl<T> Trait<T> for Session<T>` is addressed as `Session`, its methods as `Session::refresh`.
(impl_item trait: (_)? @trait type: (generic_type type: (_) @name) body: (_) @body) @item.impl
(impl_item trait: (_)? @trait type: (_) @name body: (_) @body) @item.impl
(mod_item (visibility_modifier)? @visibility name: (_) @name body: (declaration_list) @body) @item.module
(mod_item body: (declaration_list . (line_comment inner: (_))+ @doc)) @item.module
(mod_item (visibility_modifier)? @visibility name: (_) @name !body) @item.module
(foreign_mod_item (extern_modifier) @name body: (_) @body) @item.module

; Values.
(const_item (visibility_modifier)? @visibility name: (_) @name value: (_)? @value) @item.constant
(static_item (visibility_modifier)? @visibility name: (_) @name value: (_)? @value) @item.constant

; Macros, and calls that stand where items stand: what they declare is not in the tree, but that they do is.
(macro_definition name: (_) @name @signature) @item.macro
(source_file (macro_invocation macro: (_) @name "!" @name (token_tree) @value) @item.macro)
(source_file (expression_statement (macro_invocation macro: (_) @name "!" @name (token_tree) @value)) @item.macro)
(mod_item body: (declaration_list (macro_invocation macro: (_) @name "!" @name (token_tree) @value) @item.macro))
(impl_item body: (declaration_list (macro_invocation macro: (_) @name "!" @name (token_tree) @value) @item.macro))
