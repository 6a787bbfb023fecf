----------------------------- MODULE FiniteSets -----------------------------
(* Both are native (library/natives/sets.ts). *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences

IsFiniteSet(S) == \E listing \in Seq(S) : S = { listing[i] : i \in DOMAIN listing }

Cardinality(S) ==
  LET count[T \in SUBSET S] ==
        IF T = {} THEN 0 ELSE 1 + count[T \ {CHOOSE e \in T : TRUE}]
  IN  count[S]
=============================================================================
