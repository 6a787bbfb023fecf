--------------------------- MODULE FiniteSetsExt ----------------------------
(* More operators on finite sets. Those that walk over a whole set are native (library/natives/sets.ts). *)
EXTENDS Integers, FiniteSets, Folds, Functions

\* op(xn, ... op(x2, op(x1, base))).
FoldSet(op(_, _), base, set) ==
  MapThenFoldSet(op, base, LAMBDA x : x, LAMBDA S : CHOOSE x \in S : TRUE, set)

\* FoldSet by its former name.
ReduceSet(op(_, _), set, base) == FoldSet(op, base, set)

SumSet(set) == FoldSet(+, 0, set)
ProductSet(set) == FoldSet(LAMBDA x, y : x * y, 1, set)

MapThenSumSet(op(_), set) ==
  MapThenFoldSet(+, 0, op, LAMBDA S : CHOOSE x \in S : TRUE, set)

FlattenSet(S) == UNION S

SymDiff(A, B) == (A \ B) \cup (B \ A)

\* How many elements of S satisfy P.
Quantify(S, P(_)) == Cardinality({ x \in S : P(x) })

\* The subsets of S with k elements.
kSubset(k, S) == { T \in SUBSET S : Cardinality(T) = k }

Max(S) == CHOOSE x \in S : \A y \in S : x >= y
Min(S) == CHOOSE x \in S : \A y \in S : x <= y

\* All sets that one gets by taking one element of each set of Sets.
Choices(Sets) ==
  { Range(f) : f \in { g \in [Sets -> UNION Sets] : \A S \in Sets : g[S] \in S } }

\* The one element of S that satisfies P.
ChooseUnique(S, P(_)) == CHOOSE x \in S : P(x) /\ \A y \in S : P(y) => y = x
=============================================================================
