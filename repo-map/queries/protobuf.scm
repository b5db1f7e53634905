(comment) @comment

(message (message_name) @name) @item.message
(enum (enum_name) @name) @item.enum
(extend (full_ident) @name) @item.impl
(service (service_name) @name @signature) @item.service
(service (option [(identifier) (full_ident)] @name) @item.field)
(rpc (rpc_name) @name) @item.rpc
