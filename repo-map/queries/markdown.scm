; Headings inside quotes and lists are left out: they are not sections of this document.
(document (section . (atx_heading heading_content: (_) @name) @signature . (paragraph)? @doc) @item.heading)
(section (section . (atx_heading heading_content: (_) @name) @signature . (paragraph)? @doc) @item.heading)
; The grammar ends no section at an underlined heading: a title that opens the file has one, the others are themselves
; alone.
(document (section . (setext_heading heading_content: (_) @name (setext_h1_underline)) @signature . (paragraph)? @doc) @item.heading)
(document (section . (setext_heading heading_content: (_) @name (setext_h2_underline)) @item.heading))
(section (_) . (setext_heading heading_content: (_) @name) @item.heading)
