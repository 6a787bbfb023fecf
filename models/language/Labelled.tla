------------------------------- MODULE Labelled -------------------------------
(***************************************************************************)
(* Parts of a formula have names: a label's, or the way that leads there.  *)
(***************************************************************************)
EXTENDS Naturals

VARIABLES traffic, walk

Colour == {"red", "amber", "green"}

Change(from, to) ==
  light:: /\ traffic = from
          /\ before:: walk = "stand"
          /\ after:: /\ traffic' = to
                     /\ UNCHANGED walk

Safe == \A c \in Colour : each(c):: c = "red" \/ c # traffic \/ walk = "stand"

Init == traffic = "red" /\ walk = "stand"

Walk ==
  \/ Change("red", "red")!light!before /\ traffic = "red" /\ walk' = "walk" /\ UNCHANGED traffic
  \/ ~Change("red", "red")!light!before /\ walk' = "stand" /\ UNCHANGED traffic

Next ==
  \/ Change("red", "green") \/ Change("green", "amber") \/ Change("amber", "red")
  \/ Walk

(* What stands at a place: a conjunct by its number, an operand of an infix operator, a label within bounds. *)
Parts ==
  /\ Init!1 = (traffic = "red")
  /\ Init!2 = (walk = "stand")
  /\ Init!1!<< = traffic
  /\ Init!1!>> = "red"
  /\ Safe!each("green") = ("green" # traffic \/ walk = "stand")
  /\ Safe!("green")!2 = (walk = "stand")

NeverWalks == walk # "walk"
===============================================================================
