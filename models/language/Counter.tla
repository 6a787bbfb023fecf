------------------------------- MODULE Counter -------------------------------
(* Counts up to a limit and begins again: a module for others to instantiate. *)
EXTENDS Naturals
LOCAL INSTANCE Sequences

CONSTANTS limit, Step(_)
VARIABLE count

ASSUME limit \in Nat

\* Not to be seen by those who instantiate the module.
LOCAL Full == count >= limit

TypeOK == count \in 0..limit
Start == count = 0
Tick == count' = IF Full THEN 0 ELSE Step(count)
Ticks(n) == n > 0 /\ Tick
Digits == <<count>> \o <<limit>>
------------------------------------------------------------------------------
THEOREM Start => TypeOK
==============================================================================
