(comment) @comment

; Keys of the objects nested in objects, not of those in lists.
(document (object (pair key: (_) @name value: [(object . (_)) @body (_) @value]) @item.key))
(document (object (pair value: (object (pair key: (_) @name value: [(object . (_)) @body (_) @value]) @item.key))))
(document (object (pair value: (object (pair value: (object (pair key: (_) @name value: [(object . (_)) @body (_) @value]) @item.key))))))
