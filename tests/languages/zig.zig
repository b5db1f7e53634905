//! Orders and what is in them.
//! Works in memory.

// In the public domain.

const std = @import("std");
pub const json = @import("json.zig").Json;
const Allocator = std.mem.Allocator;

/// How many there can be.
pub const limit: usize = 10;
const states = [_][]const u8{
    "open",
    "closed",
};
const squares = blk: {
    var inside: [4]u8 = undefined;
    break :blk inside;
};
pub var current: ?*Order = null;
threadlocal var counter: u8 = 0;
extern "c" fn shop_open(path: [*:0]const u8) c_int;
export fn shop_close() void {}

/// What can go wrong.
pub const OrderError = error{ Closed, OutOfLines };

/// An order.
pub const Order = struct {
    /// Given by the shop.
    id: u32 = 0,
    lines: []const Line,
    extra: struct { a: u8, b: u8 } = .{ .a = 1, .b = 2 },

    const Self = @This();
    pub const first_id = 1;

    /// Opens an order.
    pub fn init(
        allocator: Allocator,
        comptime T: type,
    ) OrderError!Self {
        const local = 1;
        const Hidden = struct {
            fn never() void {}
        };
        _ = .{ allocator, T, local, Hidden };
        return .{ .lines = &.{} };
    }

    fn weigh(self: *const Self) callconv(.C) f64 {
        return @floatFromInt(self.id);
    }

    pub const Line = packed struct(u32) { amount: u16, price: u16 };

    test "weighs" {
        try std.testing.expect(true);
    }
};

pub const Status = enum(u8) {
    open,
    /// For good.
    closed = 4,
    _,

    pub fn label(self: Status) []const u8 {
        return @tagName(self);
    }
};
pub const Value = union(enum) { int: i64, text: []const u8 };
const Handle = opaque {};

/// A list of anything.
pub fn List(comptime T: type) type {
    return struct {
        items: []T,
        pub fn append(self: *@This(), item: T) void {
            self.items[0] = item;
        }
    };
}

pub inline fn twice(value: anytype) @TypeOf(value) {
    return value * 2;
}

test "orders open" {
    const order = try Order.init(std.testing.allocator, u8);
    _ = order;
}

test List {}

fn broken(a: u32, {
