----------------------------- MODULE BagsTheorems ---------------------------
(* What proofs about bags refer to. *)
EXTENDS Bags, FiniteSetTheorems, SequenceTheorems

\* n times the copies of each element; no bag at all if n is not positive.
Scaling(n, B) == IF n > 0 THEN [e \in BagToSet(B) |-> n * B[e]] ELSE EmptyBag

SeqToBag(seq) == [x \in Range(seq) |-> Cardinality({ i \in DOMAIN seq : seq[i] = x })]
=============================================================================
