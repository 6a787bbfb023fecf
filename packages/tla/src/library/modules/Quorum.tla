------------------------------- MODULE Quorum -------------------------------
(* Collections of sets of which any two have an element in common. *)

QuorumSystem(S) ==
  { Q \in SUBSET SUBSET S :
      /\ Q # {}
      /\ \A A, B \in Q : A \cap B # {}
      /\ \A A \in Q : \A B \in SUBSET S : A \subseteq B => B \in Q }
=============================================================================
