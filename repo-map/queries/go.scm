; Any comment directly above documents. The package comment describes the file.
(comment) @comment
(source_file (comment) @doc.file (#match? @doc.file "^(//|/\\*)\\s*(Package|Command) "))
(source_file (comment) @doc.file . (package_clause) (#not-match? @doc.file "(?i)copyright|licen[sc]e|go:build|\\+build"))

; An upper-case name is exported.
(function_declaration name: (_) @visibility (#match? @visibility "^\\p{Lu}")) @item.function
(method_declaration name: (_) @visibility (#match? @visibility "^\\p{Lu}")) @item.method
(function_declaration name: (_) @name body: (_)? @body) @item.function
(method_declaration receiver: (parameter_list (parameter_declaration type: [(type_identifier) @owner (pointer_type (type_identifier) @owner) (generic_type type: (_) @owner) (pointer_type (generic_type type: (_) @owner))]))? name: (_) @name body: (_)? @body) @item.method

; Types are their own interface and shown whole: a declaration of one type with its keyword, a group type by type.
(source_file (type_declaration (type_spec name: (_) @visibility type: (struct_type))) @item.struct
  (#match? @visibility "^\\p{Lu}") (#not-match? @item.struct "^type\\s*\\("))
(source_file (type_declaration "(" (type_spec name: (_) @visibility type: (struct_type)) @item.struct)
  (#match? @visibility "^\\p{Lu}"))
(source_file (type_declaration (type_spec name: (_) @name type: (struct_type))) @item.struct
  (#not-match? @item.struct "^type\\s*\\("))
(source_file (type_declaration "(" (type_spec name: (_) @name type: (struct_type)) @item.struct))
(source_file (type_declaration (type_spec name: (_) @visibility type: (interface_type))) @item.interface
  (#match? @visibility "^\\p{Lu}") (#not-match? @item.interface "^type\\s*\\("))
(source_file (type_declaration "(" (type_spec name: (_) @visibility type: (interface_type)) @item.interface)
  (#match? @visibility "^\\p{Lu}"))
(source_file (type_declaration (type_spec name: (_) @name type: (interface_type))) @item.interface
  (#not-match? @item.interface "^type\\s*\\("))
(source_file (type_declaration "(" (type_spec name: (_) @name type: (interface_type)) @item.interface))
(source_file (type_declaration [(type_spec name: (_) @visibility type: (_)) (type_alias name: (_) @visibility type: (_))]) @item.type
  (#match? @visibility "^\\p{Lu}") (#not-match? @item.type "^type\\s*\\("))
(source_file (type_declaration "(" [(type_spec name: (_) @visibility type: (_)) (type_alias name: (_) @visibility type: (_))] @item.type)
  (#match? @visibility "^\\p{Lu}"))
(source_file (type_declaration [(type_spec name: (_) @name type: (_)) (type_alias name: (_) @name type: (_))]) @item.type
  (#not-match? @item.type "^type\\s*\\("))
(source_file (type_declaration "(" [(type_spec name: (_) @name type: (_)) (type_alias name: (_) @name type: (_))] @item.type))

; The members of a type that is too long to be shown whole.
(source_file (type_declaration (type_spec type: (struct_type (field_declaration_list
  (field_declaration name: (_) @visibility) @item.field)))) (#match? @visibility "^\\p{Lu}"))
(source_file (type_declaration (type_spec type: (struct_type (field_declaration_list
  [(field_declaration . name: (_) @name ("," name: (_) @name)*)
   (field_declaration !name type: (_) @name)] @item.field) @detail))))
(source_file (type_declaration (type_spec type: (interface_type
  (method_elem name: (_) @visibility) @item.method))) (#match? @visibility "^\\p{Lu}"))
(source_file (type_declaration (type_spec type: (interface_type (method_elem name: (_) @name) @item.method) @detail)))
(source_file (type_declaration (type_spec type: (interface_type (type_elem) @item.field @name) @detail)))

; Constants and variables, alone and in groups.
(source_file (const_declaration
  (const_spec . name: (_) @name ("," name: (_) @name)* value: (expression_list . [(_ !body) @value (_ body: (_) @value)])?)) @item.constant
  (#not-match? @item.constant "^const\\s*\\("))
(source_file (const_declaration "("
  (const_spec . name: (_) @name ("," name: (_) @name)* value: (expression_list . [(_ !body) @value (_ body: (_) @value)])?) @item.constant))
(source_file (var_declaration
  (var_spec . name: (_) @name ("," name: (_) @name)* value: (expression_list . [(_ !body) @value (_ body: (_) @value)])?)) @item.variable
  (#not-match? @item.variable "^var\\s*\\("))
(source_file (var_declaration (var_spec_list
  (var_spec . name: (_) @name ("," name: (_) @name)* value: (expression_list . [(_ !body) @value (_ body: (_) @value)])?) @item.variable)))
(source_file (const_declaration (const_spec . name: (_) @visibility)) @item.constant
  (#match? @visibility "^\\p{Lu}") (#not-match? @item.constant "^const\\s*\\("))
(source_file (const_declaration "(" (const_spec . name: (_) @visibility) @item.constant)
  (#match? @visibility "^\\p{Lu}"))
(source_file (var_declaration (var_spec . name: (_) @visibility)) @item.variable
  (#match? @visibility "^\\p{Lu}") (#not-match? @item.variable "^var\\s*\\("))
(source_file (var_declaration (var_spec_list (var_spec . name: (_) @visibility) @item.variable))
  (#match? @visibility "^\\p{Lu}"))

; The same where a syntax error has taken the place of the file.
(ERROR (type_declaration (type_spec name: (_) @visibility type: (struct_type))) @item.struct
  (#match? @visibility "^\\p{Lu}") (#not-match? @item.struct "^type\\s*\\("))
(ERROR (type_declaration "(" (type_spec name: (_) @visibility type: (struct_type)) @item.struct)
  (#match? @visibility "^\\p{Lu}"))
(ERROR (type_declaration (type_spec name: (_) @name type: (struct_type))) @item.struct
  (#not-match? @item.struct "^type\\s*\\("))
(ERROR (type_declaration "(" (type_spec name: (_) @name type: (struct_type)) @item.struct))
(ERROR (type_declaration (type_spec name: (_) @visibility type: (interface_type))) @item.interface
  (#match? @visibility "^\\p{Lu}") (#not-match? @item.interface "^type\\s*\\("))
(ERROR (type_declaration "(" (type_spec name: (_) @visibility type: (interface_type)) @item.interface)
  (#match? @visibility "^\\p{Lu}"))
(ERROR (type_declaration (type_spec name: (_) @name type: (interface_type))) @item.interface
  (#not-match? @item.interface "^type\\s*\\("))
(ERROR (type_declaration "(" (type_spec name: (_) @name type: (interface_type)) @item.interface))
(ERROR (type_declaration [(type_spec name: (_) @visibility type: (_)) (type_alias name: (_) @visibility type: (_))]) @item.type
  (#match? @visibility "^\\p{Lu}") (#not-match? @item.type "^type\\s*\\("))
(ERROR (type_declaration "(" [(type_spec name: (_) @visibility type: (_)) (type_alias name: (_) @visibility type: (_))] @item.type)
  (#match? @visibility "^\\p{Lu}"))
(ERROR (type_declaration [(type_spec name: (_) @name type: (_)) (type_alias name: (_) @name type: (_))]) @item.type
  (#not-match? @item.type "^type\\s*\\("))
(ERROR (type_declaration "(" [(type_spec name: (_) @name type: (_)) (type_alias name: (_) @name type: (_))] @item.type))
(ERROR (const_declaration
  (const_spec . name: (_) @name ("," name: (_) @name)* value: (expression_list . [(_ !body) @value (_ body: (_) @value)])?)) @item.constant
  (#not-match? @item.constant "^const\\s*\\("))
(ERROR (const_declaration "("
  (const_spec . name: (_) @name ("," name: (_) @name)* value: (expression_list . [(_ !body) @value (_ body: (_) @value)])?) @item.constant))
(ERROR (var_declaration
  (var_spec . name: (_) @name ("," name: (_) @name)* value: (expression_list . [(_ !body) @value (_ body: (_) @value)])?)) @item.variable
  (#not-match? @item.variable "^var\\s*\\("))
(ERROR (var_declaration (var_spec_list
  (var_spec . name: (_) @name ("," name: (_) @name)* value: (expression_list . [(_ !body) @value (_ body: (_) @value)])?) @item.variable)))
(ERROR (const_declaration (const_spec . name: (_) @visibility)) @item.constant
  (#match? @visibility "^\\p{Lu}") (#not-match? @item.constant "^const\\s*\\("))
(ERROR (const_declaration "(" (const_spec . name: (_) @visibility) @item.constant)
  (#match? @visibility "^\\p{Lu}"))
(ERROR (var_declaration (var_spec . name: (_) @visibility)) @item.variable
  (#match? @visibility "^\\p{Lu}") (#not-match? @item.variable "^var\\s*\\("))
(ERROR (var_declaration (var_spec_list (var_spec . name: (_) @visibility) @item.variable))
  (#match? @visibility "^\\p{Lu}"))
