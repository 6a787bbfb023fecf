------------------------------ MODULE Instances ------------------------------
(***************************************************************************)
(* A module stands for as many as it is instantiated: with other constants *)
(* and variables, with parameters, within another instance, without a name.*)
(***************************************************************************)
EXTENDS Integers

CONSTANT Most
VARIABLES hours, minutes, lamps

Next1(n) == n + 1

\* Two counters that are one module: a name each, and what its symbols stand for.
Hours == INSTANCE Counter WITH limit <- 2, count <- hours, Step <- Next1
Minutes == INSTANCE Counter WITH limit <- Most, count <- minutes, Step <- LAMBDA n : n + 1

\* As many as there are lamps. The parameter is bound where the instance is used.
Lamp(which) == INSTANCE Counter WITH limit <- 1, count <- lamps[which], Step <- Next1

------------------------------ MODULE Display ------------------------------
(* A module within a module sees what stands before it. *)
VARIABLE shown
Shows == shown = hours
Twice(F(_)) == F(F(shown))
============================================================================

Display == INSTANCE Display WITH shown <- minutes

\* Without WITH, symbols stand for those of the same name.
limit == 7
count == minutes + hours
Step(n) == n
INSTANCE Counter

Init ==
  /\ Hours!Start
  /\ Minutes!Start
  /\ lamps = [which \in {"red", "green"} |-> 0]

\* Lamp(which)!Tick says what lamps[which] becomes: enough to test, not to make, a function.
Blink(which) ==
  /\ lamps' = [lamps EXCEPT ![which] = 1 - @]
  /\ Lamp(which)!Tick
  /\ UNCHANGED <<hours, minutes>>

Tock ==
  /\ Minutes!Ticks(1)
  /\ IF minutes' = 0 THEN Hours!Tick ELSE UNCHANGED hours
  /\ UNCHANGED lamps

Next == Tock \/ \E which \in DOMAIN lamps : Blink(which)

Spec == Init /\ [][Next]_<<hours, minutes, lamps>>

TypesOK ==
  /\ Hours!TypeOK
  /\ Minutes!TypeOK
  /\ \A which \in DOMAIN lamps : Lamp(which)!TypeOK

Names ==
  /\ Hours!Digits = <<hours, 2>>
  /\ Minutes!Digits = <<minutes, Most>>
  /\ Digits = <<minutes + hours, 7>>
  /\ TypeOK = (minutes + hours \in 0..7)
  /\ Display!Twice(Next1) = minutes + 2
  /\ Display!Shows <=> minutes = hours

NeverTwo == ~(Hours!Digits[1] = 2 /\ lamps["red"] = 1)
==============================================================================
