// Copyright: nobody in particular.

/**
 * @fileoverview Sessions and their tokens.
 */

'use strict';

import React from 'react';
const fs = require('fs');

/** How long a session lives, in seconds. */
export const LIFETIME = 3_600;
const NAMES = [
  'alpha',
  'beta',
];
let counter = 0, limit = 10;
var later;

/**
 * Refreshes a session.
 * @param {Session} session
 */
export async function refresh(
  session,
  { deep = false, ...rest } = {},
) {
  function local() {}
  const inner = () => local();
  return inner();
}

export default function* walk(tree) { yield tree; }

// A plain comment documents as well.
const add = (a, b) => a + b;

export const load = async (path) => {
  return fs.readFile(path);
};

/** A session. */
export class Session extends Base {
  static #count = 0;
  /** Whose it is. */
  owner = null;
  table = {
    key: 1,
  };
  onClick = (event) => { this.owner = event; };

  constructor(owner) {
    super();
    this.owner = owner;
  }

  /** The token. */
  get token() { return this._token; }
  set token(value) { this._token = value; }

  static async of(...args) { return new Session(...args); }

  #hide() {}
  [Symbol.iterator]() {}
  static { Session.#count = 1; }
}

const Anonymous = class extends Session { rename() {} };

/** Shows one. */
const Badge = React.memo(function Badge({ session, children }) {
  return <b title={session.owner}>{children}</b>;
});

const handlers = {
  limit: 1,
  /** Opens. */
  open(path) { return path; },
  close: function (path) { return path; },
  toggle: (path) => path,
};

Session.prototype.expire = function expire() {};
Session.LIMIT = 5;

exports.parse = function (text) { return text; };
exports.VERSION = '1';
module.exports = { refresh, LIFETIME };

(function () {
  /** Inside a wrapper function. */
  function wrapped() {}
})();

function survivor(a) { return a; }

function broken(x, { return x;
