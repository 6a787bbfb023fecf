------------------------------ MODULE Relation ------------------------------
(* Properties of a relation R over S: a function that gives a boolean for each pair, R[x, y]. Those that end in Under *)
(* take an operator instead.                                                                                          *)
EXTENDS Naturals, FiniteSets

LOCAL AsFunction(op(_, _), S) == [pair \in S \X S |-> op(pair[1], pair[2])]

IsReflexive(R, S) == \A x \in S : R[x, x]
IsReflexiveUnder(op(_, _), S) == IsReflexive(AsFunction(op, S), S)

IsIrreflexive(R, S) == \A x \in S : ~R[x, x]
IsIrreflexiveUnder(op(_, _), S) == IsIrreflexive(AsFunction(op, S), S)

IsSymmetric(R, S) == \A x, y \in S : R[x, y] <=> R[y, x]
IsSymmetricUnder(op(_, _), S) == IsSymmetric(AsFunction(op, S), S)

IsAntiSymmetric(R, S) == \A x, y \in S : R[x, y] /\ R[y, x] => x = y
IsAntiSymmetricUnder(op(_, _), S) == IsAntiSymmetric(AsFunction(op, S), S)

IsAsymmetric(R, S) == \A x, y \in S : ~(R[x, y] /\ R[y, x])
IsAsymmetricUnder(op(_, _), S) == IsAsymmetric(AsFunction(op, S), S)

IsTransitive(R, S) == \A x, y, z \in S : R[x, y] /\ R[y, z] => R[x, z]
IsTransitiveUnder(op(_, _), S) == IsTransitive(AsFunction(op, S), S)

IsStrictlyPartiallyOrdered(R, S) == IsIrreflexive(R, S) /\ IsAntiSymmetric(R, S) /\ IsTransitive(R, S)
IsStrictlyPartiallyOrderedUnder(op(_, _), S) == IsStrictlyPartiallyOrdered(AsFunction(op, S), S)

IsPartiallyOrdered(R, S) == IsReflexive(R, S) /\ IsAntiSymmetric(R, S) /\ IsTransitive(R, S)
IsPartiallyOrderedUnder(op(_, _), S) == IsPartiallyOrdered(AsFunction(op, S), S)

IsStrictlyTotallyOrdered(R, S) ==
  IsStrictlyPartiallyOrdered(R, S) /\ \A x, y \in S : x # y => R[x, y] \/ R[y, x]
IsStrictlyTotallyOrderedUnder(op(_, _), S) == IsStrictlyTotallyOrdered(AsFunction(op, S), S)

IsTotallyOrdered(R, S) == IsPartiallyOrdered(R, S) /\ \A x, y \in S : R[x, y] \/ R[y, x]
IsTotallyOrderedUnder(op(_, _), S) == IsTotallyOrdered(AsFunction(op, S), S)

\* Paths of at least one step. Warshall's algorithm: after the elements of N are allowed as stops between. Native
\* (library/natives/graphs.ts).
TransitiveClosure(R, S) ==
  LET reach[N \in SUBSET S] ==
        IF N = {} THEN [x, y \in S |-> R[x, y]]
        ELSE LET stop == CHOOSE z \in N : TRUE
                 before == reach[N \ {stop}]
             IN  [x, y \in S |-> before[x, y] \/ (before[x, stop] /\ before[stop, y])]
  IN  reach[S]

ReflexiveTransitiveClosure(R, S) ==
  LET closure == TransitiveClosure(R, S) IN [x, y \in S |-> x = y \/ closure[x, y]]

IsConnected(R, S) ==
  LET closure == ReflexiveTransitiveClosure(R, S) IN \A x, y \in S : closure[x, y]
=============================================================================
