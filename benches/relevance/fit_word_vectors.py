#!/usr/bin/env python3
"""Fits the table of word vectors, repo-map/src/score/word_vectors/table.bin.

    fit_word_vectors.py TEXTS.jsonl MODEL.onnx TOKENIZER.json table.bin

TEXTS.jsonl has an object a line with `text`: "title. heading. text" of a section, at most 180
words, under a licence that allows it. MODEL.onnx and TOKENIZER.json are all-MiniLM-L6-v2's. Needs
numpy, scipy, onnxruntime and tokenizers. The method stands in score/word_vectors/mod.rs.
"""

import json
import sys

import numpy as np
import onnxruntime
import scipy.sparse as sparse
from tokenizers import Tokenizer

DIMENSIONS = 64
RIDGE = 0.3
STEPS = 40
# The last row of the vocabulary that is a control token or a character on its own.
LAST_RESERVED = 998
CLS, SEP = 101, 102


class Teacher:
    def __init__(self, path):
        self.session = onnxruntime.InferenceSession(path)

    def vectors(self, ids):
        """Returns the mean vector of each list of pieces, normed."""
        mask = np.zeros((len(ids), max(map(len, ids))), np.int64)
        pieces = np.zeros_like(mask)
        for row, one in enumerate(ids):
            pieces[row, : len(one)], mask[row, : len(one)] = one, 1
        inputs = {"input_ids": pieces, "attention_mask": mask, "token_type_ids": 0 * mask}
        hidden = self.session.run(None, inputs)[0]
        return normed((hidden * mask[..., None]).sum(1) / mask.sum(1)[:, None])

    def all_vectors(self, ids, batch):
        """The same for many lists, those of like length together."""
        order = np.argsort([len(one) for one in ids], kind="stable")
        out = np.zeros((len(ids), 384))
        for start in range(0, len(ids), batch):
            rows = order[start : start + batch]
            out[rows] = self.vectors([ids[row] for row in rows])
        return out


def normed(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)


def weights(pieces):
    """Returns the weight of each piece; 0 for those without a vector."""
    rank = np.maximum(np.arange(len(pieces)) - LAST_RESERVED, 1)
    p = 1 / rank / np.sum(1 / np.arange(1, len(pieces) - LAST_RESERVED + 1))
    is_word = [any(char.isalnum() for char in piece) for piece in pieces]
    is_word = np.array(is_word) & (np.arange(len(pieces)) > LAST_RESERVED)
    return np.where(is_word, 1e-4 / (1e-4 + p), 0)


def bags(texts_ids, weight):
    """Returns the rows of √tf times weight, each of length 1."""
    rows, columns, values = [], [], []
    for row, ids in enumerate(texts_ids):
        ids, tf = np.unique(ids, return_counts=True)
        rows += [row] * len(ids)
        columns += list(ids)
        values += list(np.sqrt(tf) * weight[ids])
    bags = sparse.csr_matrix((values, (rows, columns)), shape=(len(texts_ids), len(weight)))
    length = np.sqrt(np.asarray(bags.multiply(bags).sum(1)).ravel())
    return sparse.diags(1 / np.maximum(length, 1e-9)) @ bags


def fitted(a, y, e0):
    """Minimises |A E − Y|² + RIDGE |E − E₀|² by conjugate gradients."""
    apply = lambda e: a.T @ (a @ e) + RIDGE * e
    e = e0.copy()
    residual = a.T @ y + RIDGE * e0 - apply(e)
    direction, size = residual.copy(), (residual**2).sum(0)
    for _ in range(STEPS):
        applied = apply(direction)
        step = size / np.maximum((direction * applied).sum(0), 1e-30)
        e += step * direction
        residual -= step * applied
        new_size = (residual**2).sum(0)
        direction = residual + new_size / np.maximum(size, 1e-30) * direction
        size = new_size
    return e


def main():
    texts_path, model_path, tokenizer_path, out_path = sys.argv[1:]
    tokenizer = Tokenizer.from_file(tokenizer_path)
    tokenizer.no_padding()
    tokenizer.no_truncation()
    texts = [json.loads(line)["text"] for line in open(texts_path, encoding="utf8")]
    ids = [one.ids for one in tokenizer.encode_batch(texts, add_special_tokens=False)]
    vocabulary = tokenizer.get_vocab()
    pieces = sorted(vocabulary, key=vocabulary.get)

    teacher = Teacher(model_path)
    y = teacher.all_vectors([[CLS, *one[:254], SEP] for one in ids], 16)
    mean = y.mean(0)
    axes = np.linalg.svd(y - mean, full_matrices=False)[2][:DIMENSIONS].T
    y = normed((y - mean) @ axes)
    alone = teacher.all_vectors([[CLS, piece, SEP] for piece in range(len(pieces))], 256)
    e0 = (alone - mean) @ axes

    weight = weights(pieces)
    a = bags(ids, weight)
    first = a @ e0
    e0 *= (first * y).sum() / (first**2).sum()
    table = fitted(a, y, e0) * weight[:, None]
    scale = np.abs(table).max(1) / 127
    rows = np.round(table / np.maximum(scale, 1e-30)[:, None]).astype(np.int8)
    with open(out_path, "wb") as out:
        out.write(rows.tobytes() + scale.astype("<f4").tobytes())
        out.write("".join(piece + "\n" for piece in pieces).encode())


if __name__ == "__main__":
    main()
