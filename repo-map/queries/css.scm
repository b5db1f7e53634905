(comment) @comment

(rule_set (selectors) @name (block) @body) @item.rule
((rule_set (selectors) @_of (block (declaration (property_name) @name . ":" . (_) @value) @item.property))
  (#match? @_of ":root|:host|theme") (#match? @name "^--"))

(media_statement "@media" @name [(_) (ERROR)] @name . (block) @body) @item.rule
(supports_statement "@supports" @name [(_) (ERROR)] @name . (block) @body) @item.rule
(scope_statement "@scope" @name ")" @name . (block) @body) @item.rule
(keyframes_statement _ @name . (keyframes_name) @name (keyframe_block_list) @body) @item.rule
(at_rule . (at_keyword) @name . (block) @body) @item.rule
(at_rule . (at_keyword) @name [(_) (ERROR)] @name . (block) @body) @item.rule
((at_rule . (at_keyword) @_at (block (declaration (property_name) @name . ":" . (_) @value) @item.property))
  (#eq? @_at "@theme") (#match? @name "^--"))
(at_rule . (at_keyword) @name (_) @name . ";") @item.rule
(import_statement "@import" @name . (_) @name) @item.rule
