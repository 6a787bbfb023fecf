---------------------------- MODULE FunctionTheorems ----------------------------
(* What proofs about functions refer to: nothing but what it extends. The theorems stand in proofs only. *)
EXTENDS Functions, Integers, FiniteSets
=============================================================================
