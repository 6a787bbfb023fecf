---------------------------- MODULE GraphTheorems ----------------------------
(* What proofs about graphs refer to: nothing but what it extends. The theorems stand in proofs only. *)
EXTENDS Graphs, Sequences
=============================================================================
