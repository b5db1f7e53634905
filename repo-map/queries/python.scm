(comment) @comment
(decorated_definition) @wrapper
(module . (comment)* . (expression_statement (string) @doc.file))

(function_definition name: (_) @name body: (block . (expression_statement (string))? @doc) @body) @item.function
(class_definition name: (_) @name body: (block . (expression_statement (string))? @doc) @body) @item.class
(class_definition body: (block (function_definition name: (_) @name body: (block . (expression_statement (string))? @doc) @body) @item.method))
(class_definition body: (block (decorated_definition (function_definition name: (_) @name body: (block . (expression_statement (string))? @doc) @body) @item.method)))
(module (expression_statement (assignment left: (identifier) @name right: (_)? @value) @item.constant))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name right: (_)? @value) @item.field)))
(type_alias_statement . (type) @name) @item.type
