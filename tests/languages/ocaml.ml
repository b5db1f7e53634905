(* Licensed to the birds. *)

(** Readings and what to do with them. *)

open Printf

(** One value of one sensor. *)
type reading = {
  sensor : string; (** who measured *)
  value : float;
}
[@@deriving show]

type 'a tree = Leaf | Node of 'a tree * 'a * 'a tree
and forest = int tree list
type open_kind = ..
type open_kind += Heat

exception Missing of string
external now : unit -> float = "station_now"

let limit = 60
let names : string list =
  [ "north";
    "south" ]
let low, high = -40., 60.

(** The newest reading,
    if there is one. *)
let latest ~(name : string) ?(since = 0.) (all : reading list) : reading option =
  (* an inner remark *)
  let matching r = r.sensor = name && r.value > since in
  List.find_opt matching all
(** Documented below. *)

let rec even n = n = 0 || odd (n - 1)

(** The other half. *)
and odd n = n <> 0 && even (n - 1)

let kind = function
  | Leaf -> "leaf"
  | Node _ -> "node"

let[@inline] ( +++ ) a b = a +. b
let () = printf "%f" (now ())
let%test "limit" = limit = 60

(** What can be read off. *)
module type Source = sig
  type t
  (** Reads once. *)
  val poll : t -> float

  val pause : float
end

module Station : Source = struct
  type t = unit

  (** Always the same. *)
  let poll () = 1.
  let pause = 0.5
end

module Cached (S : Source) : Source with type t = S.t = struct
  include S
  let poll t = S.poll t
end

module Alias = Stdlib.List
include Alias

(** Counts readings. *)
class counter (start : int) = object (self)
  val mutable count = start
  method get = count
  method private bump by =
    count <- count + by
  method virtual reset : unit
end

class type resettable = object
  method reset : unit
end

type = = broken

let afterwards x = x + 1
