; Any comment directly above documents.
(block_comment) @comment
(comment) @comment

; Types. One without a body is shown whole.
(class_definition name: (_) @name body: (_)? @body) @item.class
(trait_definition name: (_) @name body: (_)? @body) @item.trait
(object_definition name: (_) @name body: (_)? @body) @item.object
(package_object name: (_) @name body: (_)? @body) @item.object
(enum_definition name: (_) @name body: (_)? @body) @item.enum
(enum_case_definitions . (_ name: (_) @name)) @item.variant
(type_definition name: (_) @name) @item.type
; An instance goes by its name or else by its type, an extension by the type it extends.
(given_definition name: (_) @name body: (with_template_body) @body) @item.object
(given_definition name: (_) @name body: (_)? @value) @item.object
(given_definition !name return_type: (_) @name body: (with_template_body) @body) @item.object
(given_definition !name return_type: (_) @name body: (_)? @value) @item.object
(extension_definition parameters: (parameters . (parameter type: (_) @name)) body: (_) @body) @item.impl

; Functions and values, of files and declared types only: what an anonymous class holds is the business of its
; expression. `(_ name: (_) body: …)` is a class, trait, object or package.
(_ name: (_) body: (template_body (function_definition name: (_) @name) @item.method))
(_ name: (_) body: (template_body (function_declaration name: (_) @name) @item.method))
(enum_body (function_definition name: (_) @name) @item.method)
(enum_body (function_declaration name: (_) @name) @item.method)
(with_template_body (function_definition name: (_) @name) @item.method)
(with_template_body (function_declaration name: (_) @name) @item.method)
(extension_definition (function_definition name: (_) @name) @item.method)
(extension_definition (function_declaration name: (_) @name) @item.method)
(compilation_unit (function_definition name: (_) @name) @item.function)
(ERROR (function_definition name: (_) @name) @item.function)
(compilation_unit (function_declaration name: (_) @name) @item.function)
(ERROR (function_declaration name: (_) @name) @item.function)
; What a function defines, and the members of the object that it makes: items where it is long.
(function_definition body: (block (function_definition name: (_) @name) @item.function))
(function_definition body: (indented_block (function_definition name: (_) @name) @item.function))
(function_definition body: (instance_expression
  (template_body (function_definition name: (_) @name) @item.method)))
(function_definition body: (block (instance_expression
  (template_body (function_definition name: (_) @name) @item.method))))
(function_definition body: (indented_block (instance_expression
  (template_body (function_definition name: (_) @name) @item.method))))
(function_definition body: [(block) (indented_block)] @body) @item.function
(function_definition body: (_) @value) @item.function
(_ name: (_) body: (template_body [(val_definition pattern: (_) @name) (var_definition pattern: (_) @name)
  (val_declaration name: (_) @name) (var_declaration name: (_) @name)] @item.field))
(enum_body [(val_definition pattern: (_) @name) (var_definition pattern: (_) @name)
  (val_declaration name: (_) @name) (var_declaration name: (_) @name)] @item.field)
(with_template_body [(val_definition pattern: (_) @name) (var_definition pattern: (_) @name)
  (val_declaration name: (_) @name) (var_declaration name: (_) @name)] @item.field)
(compilation_unit (val_definition pattern: (_) @name) @item.constant)
(ERROR (val_definition pattern: (_) @name) @item.constant)
(compilation_unit (var_definition pattern: (_) @name) @item.variable)
(ERROR (var_definition pattern: (_) @name) @item.variable)
(val_definition value: (_) @value) @item.field
(var_definition value: (_) @value) @item.field

; Who can use them. These come after the patterns that say what the items are.
(class_definition (modifiers (access_modifier) @visibility) name: (_) body: (_)?) @item.class
(trait_definition (modifiers (access_modifier) @visibility) name: (_) body: (_)?) @item.trait
(object_definition (modifiers (access_modifier) @visibility) name: (_) body: (_)?) @item.object
(enum_definition (modifiers (access_modifier) @visibility) name: (_) body: (_)?) @item.enum
(type_definition (modifiers (access_modifier) @visibility) name: (_)) @item.type
(function_definition (modifiers (access_modifier) @visibility) name: (_) body: (_)) @item.function
(function_declaration (modifiers (access_modifier) @visibility) name: (_)) @item.method
(val_definition (modifiers (access_modifier) @visibility) value: (_)) @item.field
(var_definition (modifiers (access_modifier) @visibility) value: (_)) @item.field
