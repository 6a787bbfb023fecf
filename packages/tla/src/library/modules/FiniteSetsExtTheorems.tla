---------------------------- MODULE FiniteSetsExtTheorems ----------------------------
(* What proofs about FiniteSetsExt refer to: nothing but what it extends. The theorems stand in proofs only. *)
EXTENDS FiniteSetsExt, FiniteSets, Integers
=============================================================================
