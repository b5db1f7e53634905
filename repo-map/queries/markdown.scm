; Headings inside quotes and lists are left out: they are not sections of this document. A heading's rank says where its
; section ends.
(block_quote) @aside
(list) @aside
(section (atx_heading (atx_h1_marker) @section.1 heading_content: (_) @name) @signature @item.heading . (paragraph)? @doc)
(section (atx_heading (atx_h2_marker) @section.2 heading_content: (_) @name) @signature @item.heading . (paragraph)? @doc)
(section (atx_heading (atx_h3_marker) @section.3 heading_content: (_) @name) @signature @item.heading . (paragraph)? @doc)
(section (atx_heading (atx_h4_marker) @section.4 heading_content: (_) @name) @signature @item.heading . (paragraph)? @doc)
(section (atx_heading (atx_h5_marker) @section.5 heading_content: (_) @name) @signature @item.heading . (paragraph)? @doc)
(section (atx_heading (atx_h6_marker) @section.6 heading_content: (_) @name) @signature @item.heading . (paragraph)? @doc)
(section (setext_heading heading_content: (_) @name (setext_h1_underline) @section.1) @signature @item.heading . (paragraph)? @doc)
(section (setext_heading heading_content: (_) @name (setext_h2_underline) @section.2) @signature @item.heading . (paragraph)? @doc)
