(* Licensed to the birds. *)

(** Readings and what to do with them. *)

open Printf

(** One value of one sensor. *)
type reading = private {
  sensor : string; (** who measured *)
  value : float;
}
[@@deriving show]

type 'a tree = Leaf | Node of 'a tree * 'a * 'a tree
and forest = int tree list

type t
(** Documented below. *)

exception Missing of string
external now : unit -> float = "station_now"

val limit : int

(** The newest reading,
    if there is one. *)
val latest :
  name:string ->
  ?since:float ->
  reading list ->
  reading option

val ( +++ ) : float -> float -> float

(* a plain remark *)
val plain : (int -> int) list

(** What can be read off. *)
module type Source = sig
  type t

  (** Reads once. *)
  val poll : t -> float
end

module Station : Source
module Cached (S : Source) : Source with type t = S.t

(** Things inside. *)
module Inner : sig
  val depth : int
  (** How deep. *)

  module Deeper : sig
    val bottom : unit -> unit
  end
end

include Source with type t := t

(** Counts readings. *)
class counter : int -> object
  method get : int
  method private bump : int -> unit
end

class type resettable = object
  method reset : unit
end

val : = int

val afterwards : int -> int
