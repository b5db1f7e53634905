--- Keeps orders.
-- Works in memory.
-- @module store
local store = {}

local json = require("json")
local LIMIT <const> = 10
local first, second = 1, 2
local cache

-- In the middle of things.

DEFAULTS = {
  size = 3,
  open = function(self, path)
    return path
  end,
  ["quoted key"] = 1,
}
store.version = "1.2.3"
store.names = {
  "a name that is long enough", "and another name", "to be left out at level interface",
}

--- Opens a store.
-- @param path string where
-- @return table
function store.open(path, ...)
  local inside = 1
  function leaked_global() end
  return setmetatable({ path = path }, store)
end

--[[ Adds one thing
     to the store. ]]
function store:add(thing,
                   times)
  return { thing, times }
end

---@param value number
local function twice(value) return value * 2 end

function store.nested.deep.call() (print)("x") end

--- Assigned, not declared.
store.assigned = function(a, b) return a + b end
local handler = function(event) end
main = function() return store end

---@class Order
---@field id integer
local Order = {}

return store

function broken(a,
