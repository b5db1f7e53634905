; Docs stand above; `-- ^` documents what stands before it.
((haddock) @comment (#match? @comment "^(--+|\\{-) ?\\|"))
((comment) @comment (#not-match? @comment "^(-----|\\{-#)"))
((haddock) @below (#match? @below "^(--+|\\{-) ?\\^"))
((comment) @below (#match? @below "^(--+|\\{-) ?\\^"))
((haddock) @doc.file . (header) (#match? @doc.file "^(--+|\\{-) ?\\|"))

(header module: (_) @name) @item.module

; A signature belongs to the equation below it: it is the interface, and the whole equation is the body. What stands
; between them is drawn along.
(declarations (signature name: (_) @_of) @attribute . [(haddock) (comment) (pragma)]* @attribute . (function name: (_) @name) @body @item.function
  (#eq? @_of @name))
(declarations (signature name: (_) @_of) @attribute . [(haddock) (comment) (pragma)]* @attribute . (bind name: (_) @name) @body @item.function
  (#eq? @_of @name))
(declarations (signature name: (prefix_id (operator) @_of)) @attribute . [(haddock) (comment) (pragma)]* @attribute . (function (infix operator: (operator) @name)) @body @item.function
  (#eq? @_of @name))
(kind_signature) @attribute
(pattern_synonym (signature)) @attribute

; The other equations, and those without a signature.
(declarations (function name: (_) @name match: (_) @body) @item.function @continues)
(declarations (function (infix operator: [(operator) (variable)] @name) match: (_) @body) @item.function @continues)
(declarations (function (infix operator: (infix_id (variable) @name)) match: (_) @body) @item.function @continues)
(declarations (bind name: (_) @name match: (_) @body) @item.function @continues)
(declarations (bind pattern: (_) @name match: (_) @body) @item.function @continues)
(declarations (signature names: (_) @name) @item.function)
(declarations (signature name: (_) @name) @item.function .)
(declarations (signature name: (_) @name) @item.function . (cpp))
(foreign_import signature: (signature name: (_) @name)) @item.function
(pattern_synonym (equation synonym: [(constructor) @name (apply function: (_) @name) (infix operator: (_) @name) (record name: (_) @name)])) @item.constructor

(data_type name: (_) @name) @item.type
(newtype name: (_) @name) @item.type
(type_synonym name: (_) @name) @item.type
(type_family name: (_) @name) @item.type
(data_family name: (_) @name) @item.type
(type_instance name: (_) @name) @item.type
(class name: (_) @name "where" @signature declarations: (_) @body) @item.class
(class name: (_) @name !declarations) @item.class
(class_declarations (signature name: (_) @name) @item.method)
(class_declarations (signature names: (_) @name) @item.method)
(instance name: (_) @trait patterns: (_) @name "where" @signature declarations: (_) @body) @item.impl
(instance name: (_) @trait patterns: (_) @name !declarations) @item.impl
(deriving_instance name: (_) @trait patterns: (_) @name) @item.impl
