; Any comment directly above an item documents it, magic comments aside.
((comment) @comment (#not-match? @comment "^#(!|\\s*-\\*-|\\s*(frozen_string_literal|encoding|coding|warn_indent|typed):)"))
; `desc "…"` above a Rake task.
(_ !receiver method: (_) @_desc (#eq? @_desc "desc")) @comment
; `sig { returns(String) }` of Sorbet is the signature of the method below it.
(_ method: (_) @_signature block: (_) (#eq? @_signature "sig")) @attribute

; The signature ends before the body, for comments may stand between them.
(class name: (_) @name @signature !superclass body: (_) @body) @item.class
(class name: (_) @name superclass: (_) @signature body: (_) @body) @item.class
(class name: (_) @name !body) @item.class
(module name: (_) @name @signature body: (_) @body) @item.module
(module name: (_) @name !body) @item.module
(singleton_class value: (_) @name @signature body: (_) @body) @item.class
; `Point = Struct.new(:x) do … end`
(assignment left: (_) @name right: (_
  receiver: (constant) @_maker
  method: (_)
  block: (_ body: (_) @body)) (#any-of? @_maker "Struct" "Class" "Data" "Module")) @item.class

; `private` on a line of its own, but not in a block such as `class_methods do … end`.
([(class body: (_ (identifier) @visibility.below)) (module body: (_ (identifier) @visibility.below))
  (singleton_class body: (_ (identifier) @visibility.below))]
  (#any-of? @visibility.below "private" "protected" "public"))
; `private def name`
(_ !receiver method: (_) arguments: (_ . [(method) (singleton_method)] .)) @wrapper
(_ !receiver method: (_) @visibility arguments: (_ . [(method) (singleton_method)] @item.method .)
  (#any-of? @visibility "private" "protected" "private_class_method" "public"))
(program (method) @item.function)
(method name: (_) @name @signature !parameters) @item.method
(method name: (_) @name parameters: (_) @signature) @item.method
(singleton_method object: (_) @name name: (_) @name @signature !parameters) @item.method
(singleton_method object: (_) @name name: (_) @name parameters: (_) @signature) @item.method
(alias name: (_) @name) @item.method
(_
  !receiver
  method: (_) @_define
  arguments: (_ . (_) @name) @signature
  block: (_)
  (#any-of? @_define "define_method" "define_singleton_method")) @item.method
(_ !receiver method: (_) @_alias arguments: (_ . (_) @name) (#eq? @_alias "alias_method")) @item.method

(_ !receiver method: (_) @_attribute arguments: (_ . (_) @name .)
  (#match? @_attribute "^([cm]?attr|(attr|[cm]attr)_(reader|writer|accessor)|class_attribute)$")) @item.property
(_ !receiver method: (_) @_attribute arguments: (_ . (_) @name (_) @name .)
  (#match? @_attribute "^([cm]?attr|(attr|[cm]attr)_(reader|writer|accessor)|class_attribute)$")) @item.property
; `private attr_reader :name`
(_ !receiver method: (_) arguments: (_ . (_ !receiver method: (_) @_attribute) .) (#match? @_attribute "^attr_")) @wrapper
(_ !receiver method: (_) @visibility arguments: (argument_list . (_ !receiver method: (_) @_attribute) @item.property .)
  (#match? @_attribute "^attr_") (#any-of? @visibility "private" "protected"))
; What Rails declares in classes.
(_
  !receiver
  method: (_) @_declares
  arguments: (_ . (simple_symbol) @name)
  (#any-of? @_declares "has_many" "has_one" "belongs_to" "has_and_belongs_to_many" "scope" "delegate" "attribute" "enum")) @item.property
(body_statement (_ !receiver method: (_) @_mixes arguments: (_ . (_) @name) (#any-of? @_mixes "include" "extend" "prepend")) @item.field)

(assignment left: (constant) @name right: (_ !block) @value) @item.constant
(assignment left: (scope_resolution) @name right: (_ !block) @value) @item.constant
(assignment left: (constant) @name right: (_ method: (_) @_make block: (_)) @value (#not-any-of? @_make "new" "define")) @item.constant
(assignment left: (constant) @name right: (_ receiver: (_) @_maker method: (_) @_make block: (_)) @value
  (#any-of? @_make "new" "define") (#not-any-of? @_maker "Struct" "Class" "Data" "Module")) @item.constant
(assignment left: (class_variable) @name right: (_) @value) @item.field
(assignment left: (global_variable) @name right: (_) @value) @item.variable

; Tests, tasks and routes.
(_ method: (_) @_group arguments: (_ . (_) @name) @signature block: (_ body: (_) @body)
  (#any-of? @_group "describe" "context" "feature" "shared_examples" "shared_examples_for" "shared_context")) @item.module
(_ !receiver method: (_) @_test arguments: (_ . (_) @name) @signature block: (_)
  (#any-of? @_test "it" "specify" "scenario" "test" "should")) @item.test
(_ !receiver method: (_) @_task arguments: (_ . [(simple_symbol) (string) (constant)] @name) @signature block: (_)
  (#any-of? @_task "task" "multitask" "file" "rule")) @item.target
(_ !receiver method: (_) @_task arguments: (_ . (pair key: (_) @name)) @signature block: (_)
  (#any-of? @_task "task" "multitask" "file" "rule")) @item.target
(_ !receiver method: (_) @_task arguments: (_ . (pair key: (_) @name)) !block
  (#any-of? @_task "task" "multitask" "file" "rule")) @item.target
(_ !receiver method: (_) @_space arguments: (_ . (_) @name) @signature block: (_ body: (_) @body)
  (#eq? @_space "namespace")) @item.namespace
(_ !receiver method: (_) @name arguments: (_ . (string) @name) @signature block: (_)
  (#match? @name "^(get|post|put|patch|delete|head|options|['\"])")) @item.function
