; Any comment directly above an item documents it.
(comment) @comment
(chunk . (comment)+ @doc.file (#not-match? @doc.file "[Cc]opyright|[Ll]icen[sc]e|SPDX"))
; `local name = …` widens the assignment in it.
(variable_declaration (assignment_statement)) @wrapper

(function_declaration name: (method_index_expression) @name parameters: (_) @signature) @item.method
(function_declaration name: (_) @name parameters: (_) @signature) @item.function
(function_declaration "local" @visibility) @item.function
(assignment_statement (variable_list . name: (_) @name) (expression_list . value: (function_definition parameters: (_) @signature))) @item.function
(variable_declaration "local" @visibility (assignment_statement (expression_list . value: (function_definition))) @item.function)
(field name: (_) @name value: (function_definition parameters: (_) @signature)) @item.method

; Variables of the file, imports apart.
(chunk (assignment_statement (variable_list . name: (_) @name) (expression_list . value: (_ !parameters)) @value) @item.variable
  (#not-match? @value "^require\\b"))
(chunk (variable_declaration "local" @visibility
  (assignment_statement (variable_list . name: (_) @name) (expression_list . value: (_ !parameters)) @value) @item.variable)
  (#not-match? @value "^require\\b"))
(chunk (variable_declaration "local" @visibility (variable_list . name: (_) @name)) @item.variable)
