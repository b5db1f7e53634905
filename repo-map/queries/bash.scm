; Any comment directly above an item documents it; the comment at the head of the file describes the script.
((comment) @comment (#not-match? @comment "^#!"))
(program . (comment) @_shebang . (comment)+ @doc.file (#match? @_shebang "^#!") (#not-match? @doc.file "[Cc]opyright|[Ll]icen[sc]e|SPDX"))
(program . (comment)+ @doc.file (#not-match? @doc.file "^#!|[Cc]opyright|[Ll]icen[sc]e|SPDX|shellcheck"))

(function_definition name: (_) @name body: (_) @body) @item.function
; A test of Bats is read as a command.
(command name: (command_name) @_test . argument: (_) @name . argument: (word) @body (#eq? @_test "@test") (#eq? @body "{")) @item.test

(program (declaration_command "readonly" (variable_assignment name: (_) @name value: (_)? @value)) @item.constant)
(program (declaration_command (word) @_flags (variable_assignment name: (_) @name value: (_)? @value) (#match? @_flags "^-[a-zA-Z]*r")) @item.constant)
(program (declaration_command "export" @visibility (variable_assignment name: (_) @name value: (_)? @value)) @item.variable)
(program (declaration_command ["declare" "typeset"] (variable_assignment name: (_) @name value: (_)? @value)) @item.variable)
(program (declaration_command ["declare" "typeset" "export"] . (word)* . (variable_name) @name) @item.variable)
(program (variable_assignment name: (variable_name) @name value: (_)? @value) @item.variable)
(program (variable_assignments . (variable_assignment name: (variable_name) @name)) @item.variable)
