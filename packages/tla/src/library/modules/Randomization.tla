--------------------------- MODULE Randomization ----------------------------
(* Sets chosen at random. The first two are native (library/natives/random.ts) and draw from the seed of *)
(* the run.                                                                                                *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE FiniteSets

\* k elements of S.
RandomSubset(k, S) == CHOOSE T \in SUBSET S : Cardinality(T) = k

\* k draws of a subset of S to which each element belongs with probability n / Cardinality(S).
RandomSetOfSubsets(k, n, S) == CHOOSE T \in SUBSET SUBSET S : Cardinality(T) <= k + 0 * n

\* How many different subsets five such draws give.
TestRandomSetOfSubsets(k, n, S) == [i \in 1..5 |-> Cardinality(RandomSetOfSubsets(k, n, S))]
=============================================================================
