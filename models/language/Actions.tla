------------------------------- MODULE Actions -------------------------------
(***************************************************************************)
(* The shapes that an action can have: what a step may leave open, what it *)
(* must say of each variable, and how one action is told within another.   *)
(***************************************************************************)
EXTENDS Integers, Sequences

CONSTANT Limit

VARIABLES count, last, lamp, door
numbers == <<count, last>>
room == <<lamp, door>>

Init ==
  /\ count \in {n \in 0..Limit : n % 2 = 0}
  /\ last = "nothing"
  /\ \E on \in BOOLEAN : lamp = [on |-> on, hue |-> "white"]
  /\ IF lamp.on THEN door = "open" ELSE door \in {"open", "shut"}

(* A value among several, and one that depends on another's next value. *)
Jump ==
  /\ count' \in {count - 1, count + 1} \cap 0..Limit
  /\ last' = IF count' > count THEN "up" ELSE "down"
  /\ UNCHANGED room

(* A quantifier over all of them, whose bodies assign one variable each. *)
Close ==
  /\ door # "shut"
  /\ \A variable \in {"lamp", "door"} :
       CASE variable = "lamp" -> lamp' = [lamp EXCEPT !.on = FALSE]
         [] variable = "door" -> door' = "shut"
  /\ UNCHANGED <<numbers>>

(* A condition on the next state that comes after it is known, an operator with actions for arguments, LET. *)
Either(A, B) == A \/ B
Turn ==
  LET Switch(on) == /\ lamp' = [lamp EXCEPT !.on = on, !.hue = IF @ = "white" THEN "red" ELSE "white"]
                    /\ UNCHANGED door
  IN  /\ door = "open"
      /\ Either(Switch(TRUE), Switch(FALSE))
      /\ lamp'.on # lamp.on
      /\ UNCHANGED numbers

(* In terms of ENABLED: what could be done, not what is. *)
Rest == ENABLED Close /\ ~ENABLED (count' = count + 1 /\ count' < 0)
Open ==
  /\ ~ENABLED Close
  /\ door' = "open"
  /\ UNCHANGED <<count, last, lamp>>

(* A step that must change something, and one that need not. *)
Reset == <<count' = 0 /\ last' = "nothing" /\ UNCHANGED room>>_count
Maybe == [count > Limit /\ count' = 0 /\ UNCHANGED <<last, room>>]_<<numbers, room>>

(* Implication and equivalence are decided, not assigned, as far as they come first. *)
Ring ==
  /\ count = Limit => door = "open"
  /\ (last = "ring") <=> FALSE
  /\ last' = "ring"
  /\ UNCHANGED <<count, room>>

Next ==
  \/ Jump \/ Close \/ Turn \/ Open
  \/ (Reset \/ Maybe)
  \/ /\ lamp.on
     /\ Ring

Spec == Init /\ [][Next]_<<numbers, room>>

TypeOK ==
  /\ count \in 0..Limit
  /\ last \in {"nothing", "up", "down", "ring"}
  /\ lamp \in [on: BOOLEAN, hue: {"white", "red"}]
  /\ door \in {"open", "shut"}
  /\ Rest => door = "open"

(* Of pairs of states: checked as a property, on each step. *)
Steps == [][count' - count \in {-1, 0, 1} \/ count' = 0]_count

NeverRed == ~(lamp.hue = "red" /\ door = "shut")
==============================================================================
