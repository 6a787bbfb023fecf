---------------------------- MODULE Transaction ----------------------------
(***************************************************************************)
(* The meaning of committing a transaction: all participants commit, or    *)
(* all abort, and no participant commits before all are ready.  How they   *)
(* learn of each other is left to an implementation, such as               *)
(* TwoPhaseCommit.                                                         *)
(***************************************************************************)
CONSTANT participants
VARIABLE state

TypeOK == state \in [participants -> {"working", "ready", "committed", "aborted"}]

Init == state = [p \in participants |-> "working"]

CanCommit == \A p \in participants : state[p] \in {"ready", "committed"}
NoneCommitted == \A p \in participants : state[p] # "committed"

Move(p, from, to) == state[p] \in from /\ state' = [state EXCEPT ![p] = to]

GetReady(p) == Move(p, {"working"}, "ready")
Commit(p) == CanCommit /\ Move(p, {"ready"}, "committed")
Abort(p) == NoneCommitted /\ Move(p, {"working", "ready"}, "aborted")

Next == \E p \in participants : GetReady(p) \/ Commit(p) \/ Abort(p)

Spec == Init /\ [][Next]_state

Consistent ==
  \A p, q \in participants : ~(state[p] = "committed" /\ state[q] = "aborted")
=============================================================================
