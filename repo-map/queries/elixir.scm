; Comments and `@doc` document, other attributes of the module system belong to the definition below them.
(comment) @comment
(unary_operator operand: (_ target: (identifier) @_attribute) (#any-of? @_attribute "doc" "typedoc" "shortdoc")) @comment
; `@doc since: "1.2.0"` says something about the definition, and its text may stand above or below.
(unary_operator operand: (_ target: (identifier) @_attribute (_ . (keywords)))
  (#any-of? @_attribute "doc" "typedoc")) @attribute
(unary_operator operand: (_ target: (identifier) @_attribute)
  (#any-of? @_attribute "spec" "impl" "deprecated" "dialyzer" "derive" "enforce_keys" "tag")) @attribute
; The arguments of a function component, which Phoenix declares before it.
(call target: (identifier) @_declare (arguments . (atom)) (#any-of? @_declare "attr" "slot")) @attribute.apart

(call target: (identifier) @_define (_ . (_) @name) (do_block) @body (#eq? @_define "defmodule")) @item.module
(call target: (identifier) @_define (_ . (_) @name) (do_block) @body (#eq? @_define "defprotocol")) @item.interface
(call target: (identifier) @_define (_ . (_) @trait (keywords . (_ key: (_) @_for value: (_) @name))) (do_block) @body
  (#eq? @_define "defimpl") (#match? @_for "^for:")) @item.impl
(call target: (identifier) @_define (_ . (_) @name .) (do_block) @body (#eq? @_define "defimpl")) @item.impl
(call target: (identifier) @_define
  (do_block (_ operand: (_ target: (identifier) @_attribute (_ . [(string) (sigil)]))) @doc)
  (#any-of? @_define "defmodule" "defprotocol" "defimpl") (#eq? @_attribute "moduledoc")) @item.module

; Functions: `name(…)`, `name`, either `when …`, and operators.
(call target: (identifier) @visibility
  (_ . [
    (_ target: (_) @name)
    (identifier) @name
    (_ left: (_ target: (_) @name) operator: "when")
    (_ left: (identifier) @name operator: "when")
  ])
  (#any-of? @visibility "def" "defp" "defdelegate" "defn" "defnp")) @item.function
(call target: (identifier) @visibility (_ . (_ operator: _ @name)) (#any-of? @visibility "def" "defp") (#not-any-of? @name "when")) @item.function
(call target: (identifier) @visibility
  (_ . [
    (_ target: (_) @name)
    (identifier) @name
    (_ left: (_ target: (_) @name) operator: "when")
    (_ left: (identifier) @name operator: "when")
  ])
  (#any-of? @visibility "defmacro" "defmacrop" "defguard" "defguardp")) @item.macro
; Their bodies: a block, or what follows `do:`.
(call target: (identifier) @_define (do_block) @body (#any-of? @_define "def" "defp" "defn" "defnp")) @item.function
(call target: (identifier) @_define (do_block) @body (#any-of? @_define "defmacro" "defmacrop")) @item.macro
(call target: (identifier) @_define (arguments (keywords (_ key: (_) @_do value: (_) @body) .) .)
  (#match? @_do "^do:") (#any-of? @_define "def" "defp" "defn" "defnp")) @item.function
(call target: (identifier) @_define (arguments (keywords (_ key: (_) @_do value: (_) @body) .) .)
  (#match? @_do "^do:") (#any-of? @_define "defmacro" "defmacrop")) @item.macro

(call target: (identifier) @name (arguments) (#any-of? @name "defstruct" "defexception")) @item.struct
(call target: (identifier) @_define (_ . (string) @name) (do_block) (#eq? @_define "schema")) @item.struct
(call target: (identifier) @_use (_ . (alias) @name) (#eq? @_use "use")) @item.field

(unary_operator operand: (_ target: (identifier) @_type (_ . (_ left: [
    (identifier) @name
    (_ target: (_) @name)
  ])) (#any-of? @_type "type" "typep" "opaque"))) @item.type
(unary_operator operand: (_ target: (identifier) @_callback (_ . (_ left: [
    (identifier) @name
    (_ target: (_) @name)
    (_ left: (_ target: (_) @name))
  ])) (#any-of? @_callback "callback" "macrocallback"))) @item.method
(unary_operator operand: (_ target: (identifier) @_behaviour (_ . (alias) @name) (#eq? @_behaviour "behaviour"))) @item.field
(unary_operator operator: "@" @name operand: (_ target: (identifier) @name (_ . (_) @value)
  (#not-any-of? @name
    "moduledoc" "doc" "typedoc" "shortdoc" "spec" "type" "typep" "opaque" "callback" "macrocallback" "optional_callbacks" "impl"
    "behaviour" "deprecated" "dialyzer" "derive" "enforce_keys" "tag" "moduletag" "describetag" "compile" "external_resource"
    "before_compile" "after_compile" "on_load" "on_definition"))) @item.constant

(call target: (identifier) @_group (_ . (string) @name) (do_block) @body (#eq? @_group "describe")) @item.module
(call target: (identifier) @_test (_ . (string) @name) (do_block) @body (#any-of? @_test "test" "property")) @item.test
