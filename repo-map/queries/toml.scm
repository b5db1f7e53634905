(comment) @comment

(table . "[" . (_) @name . "]" @signature) @item.key
(table_array_element . "[[" . (_) @name . "]]" @signature) @item.key
; Inline tables are shown as the values they are.
(document (pair . (_) @name "=" . (_) @value) @item.key)
(table (pair . (_) @name "=" . (_) @value) @item.key)
(table_array_element (pair . (_) @name "=" . (_) @value) @item.key)
(ERROR (pair . (_) @name "=" . (_) @value) @item.key)
