---------------------------- MODULE QuorumTheorems ----------------------------
(* What proofs about quorums refer to: nothing but what it extends. The theorems stand in proofs only. *)
EXTENDS Quorum, Integers, FiniteSets
=============================================================================
