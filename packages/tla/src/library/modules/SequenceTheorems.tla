-------------------------- MODULE SequenceTheorems --------------------------
(* What proofs about sequences refer to. *)
EXTENDS Sequences, Functions
LOCAL INSTANCE NaturalsInduction
LOCAL INSTANCE TLAPS
=============================================================================
