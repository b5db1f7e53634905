; Keys of the mappings nested in mappings, not of those in lists: one pair of patterns for each level and root. The
; first of a pair keeps comments between a key and its mapping out of the signature.
(comment) @comment

(document (_ (_ (block_mapping_pair key: (_) @name ":" @signature value: (block_node [(anchor) (tag)]* @signature (block_mapping))) @item.key)))
(document (_ (_ (_ key: (_) @name value: (_)? @value) @item.key)))
(document (_ (_ (_ value: (_ (_ (block_mapping_pair key: (_) @name ":" @signature value: (block_node [(anchor) (tag)]* @signature (block_mapping))) @item.key))))))
(document (_ (_ (_ value: (_ (_ (_ key: (_) @name value: (_)? @value) @item.key))))))
(document (_ (_ (_ value: (_ (_ (_ value: (_ (_ (block_mapping_pair key: (_) @name ":" @signature value: (block_node [(anchor) (tag)]* @signature (block_mapping))) @item.key)))))))))
(document (_ (_ (_ value: (_ (_ (_ value: (_ (_ (_ key: (_) @name value: (_)? @value) @item.key)))))))))

; In a file with errors what was read stands outside of a document.
(ERROR (_ (_ (block_mapping_pair key: (_) @name ":" @signature value: (block_node [(anchor) (tag)]* @signature (block_mapping))) @item.key)))
(ERROR (_ (_ (_ key: (_) @name value: (_)? @value) @item.key)))
(ERROR (_ (_ (_ value: (_ (_ (block_mapping_pair key: (_) @name ":" @signature value: (block_node [(anchor) (tag)]* @signature (block_mapping))) @item.key))))))
(ERROR (_ (_ (_ value: (_ (_ (_ key: (_) @name value: (_)? @value) @item.key))))))
(ERROR (_ (_ (_ value: (_ (_ (_ value: (_ (_ (block_mapping_pair key: (_) @name ":" @signature value: (block_node [(anchor) (tag)]* @signature (block_mapping))) @item.key)))))))))
(ERROR (_ (_ (_ value: (_ (_ (_ value: (_ (_ (_ key: (_) @name value: (_)? @value) @item.key)))))))))
(ERROR (block_mapping_pair key: (_) @name ":" @signature value: (block_node [(anchor) (tag)]* @signature (block_mapping))) @item.key)
(ERROR (_ key: (_) @name value: (_)? @value) @item.key)
(ERROR (_ value: (_ (_ (block_mapping_pair key: (_) @name ":" @signature value: (block_node [(anchor) (tag)]* @signature (block_mapping))) @item.key))))
(ERROR (_ value: (_ (_ (_ key: (_) @name value: (_)? @value) @item.key))))
(ERROR (_ value: (_ (_ (_ value: (_ (_ (block_mapping_pair key: (_) @name ":" @signature value: (block_node [(anchor) (tag)]* @signature (block_mapping))) @item.key)))))))
(ERROR (_ value: (_ (_ (_ value: (_ (_ (_ key: (_) @name value: (_)? @value) @item.key)))))))

; Files that are one list of things with names: playbooks, hooks, labels.
(document (block_node (block_sequence (block_sequence_item (block_node (block_mapping . (block_mapping_pair key: (_) @_key value: (flow_node) @name) @signature (#match? @_key "^(name|id|key|title)$")))) @item.key)))
