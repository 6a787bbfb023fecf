---------------------------- MODULE FoldsTheorems ----------------------------
(* What proofs about folds refer to: nothing but what it extends. The theorems stand in proofs only. *)
EXTENDS Folds, FiniteSets
=============================================================================
