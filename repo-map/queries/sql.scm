(comment) @comment
(marginalia) @comment

(create_table (keyword_table) (object_reference) @name) @item.table
(create_table (create_query) @body) @item.table
(create_view (object_reference) @name (create_query) @body) @item.view
(create_materialized_view (object_reference) @name (create_query) @body) @item.view
(create_function (object_reference) @name (function_arguments) (function_body) @body) @item.function
(create_type (object_reference) @name) @item.type
(create_trigger (keyword_trigger) . (object_reference) @name) @item.object
(create_index column: (identifier) @name) @item.object
(create_index !column (keyword_on) @name . (object_reference) @name) @item.object
(create_sequence (object_reference) @name) @item.object
(create_schema (identifier) @name) @item.object
(create_extension (identifier) @name) @item.object
