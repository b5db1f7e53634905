(comment) @comment

; Headings by their text. No list of children is captured: every element would be collected before its tag is looked at.
((element (start_tag (tag_name) @_tag) . (text) @name . (end_tag)) @item.heading
  (#match? @_tag "^[hH][1-6]$"))
((element (start_tag (tag_name) @_tag) . (element (start_tag) . (text) @name . (end_tag)) . (end_tag)) @item.heading
  (#match? @_tag "^[hH][1-6]$"))
((element (start_tag (tag_name) @_tag) . (_) @name (_) @name . (end_tag)) @item.heading
  (#match? @_tag "^[hH][1-6]$"))

; Whatever has an id, by that.
((_ (start_tag (tag_name) @_tag (attribute (attribute_name) @_id [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)])) @signature) @item.element
  (#match? @_id "^(id|ID)$") (#not-match? @_tag "^[hH][1-6]$"))
((element (self_closing_tag (attribute (attribute_name) @_id [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))) @item.element
  (#match? @_id "^(id|ID)$"))

; Scripts by their source, otherwise the landmarks of a page by their tag.
((script_element (start_tag (attribute (attribute_name) @_src (quoted_attribute_value (attribute_value) @name))) @_tag) @item.element
  (#match? @_src "^(src|SRC)$") (#not-match? @_tag "\\s(id|ID)\\s*="))
((script_element (start_tag (tag_name) @name) @signature) @item.element
  (#not-match? @signature "\\s(id|ID|src|SRC)\\s*="))
((style_element (start_tag (tag_name) @name) @signature) @item.element
  (#not-match? @signature "\\s(id|ID)\\s*="))
((element (start_tag (tag_name) @name)) @item.element
  (#match? @name "^(title|TITLE)$"))
((element (start_tag (tag_name) @name) @signature) @item.element
  (#match? @name "^(template|header|nav|main|aside|footer|form|dialog|section|article|slot)$")
  (#not-match? @signature "\\s(id|ID)\\s*="))
