--------------------------------- MODULE Typed ---------------------------------
(***************************************************************************)
(* Model values of a type, such as `T_red`, are comparable with each other *)
(* alone; those without a type are unequal to everything else.             *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS Keys, Locks, Nothing

VARIABLE opens

ASSUME Cardinality(Keys) = 2 /\ Nothing \notin Keys /\ Nothing # 1 /\ Nothing # "Nothing"

Init == opens = [key \in Keys |-> Nothing]

Cut(key, lock) == opens[key] = Nothing /\ opens' = [opens EXCEPT ![key] = lock]
Melt(key) == opens[key] # Nothing /\ opens' = [opens EXCEPT ![key] = Nothing]

Next == \E key \in Keys : Melt(key) \/ \E lock \in Locks : Cut(key, lock)

TypeOK == opens \in [Keys -> Locks \cup {Nothing}]
Unlike == \A j, k \in Keys : j # k /\ opens[j] # Nothing => opens[j] # opens[k]
(* Of two types: an error, as soon as it is asked. *)
Confused == \A key \in Keys : opens[key] # key
================================================================================
