(comment) @comment
(export_directive (variable_assignment)) @wrapper
(override_directive (variable_assignment)) @wrapper

((rule (targets) @name (recipe)? @body) @item.target
  (#not-eq? @name ".PHONY"))
(variable_assignment target_or_pattern: (_)? @name name: (_) @name value: (_)? @value) @item.variable
(shell_assignment name: (_) @name value: (_)? @value) @item.variable
(define_directive name: (_) @name value: (_)? @body) @item.variable
; `.PHONY: clean` between a comment and its target.
((rule (targets) @_phony normal: (prerequisites . (_) .)) @attribute
  (#eq? @_phony ".PHONY"))
