----------------------------- MODULE Functions ------------------------------
(* Operators on functions. Those that walk over a whole function are native (library/natives/folds.ts). *)
EXTENDS Integers, Folds

Restrict(f, S) == [x \in S |-> f[x]]
RestrictDomain(f, Test(_)) == [x \in { y \in DOMAIN f : Test(y) } |-> f[x]]
RestrictValues(f, Test(_)) == [x \in { y \in DOMAIN f : Test(f[y]) } |-> f[x]]

\* Whether narrow is wide, as far as narrow is defined.
IsRestriction(narrow, wide) ==
  /\ DOMAIN narrow \subseteq DOMAIN wide
  /\ \A x \in DOMAIN narrow : narrow[x] = wide[x]

Range(f) == { f[x] : x \in DOMAIN f }

Pointwise(f, g, T(_, _)) == [x \in DOMAIN f |-> T(f[x], g[x])]

\* A value of S for each of T, one that f maps to it if there is one.
Inverse(f, S, T) == [t \in T |-> CHOOSE s \in S : t \in Range(f) => f[s] = t]

\* The inverse of an injective function.
AntiFunction(f) == Inverse(f, DOMAIN f, Range(f))

IsInjective(f) == \A x, y \in DOMAIN f : f[x] = f[y] => x = y

Injection(S, T) == { f \in [S -> T] : IsInjective(f) }
Surjection(S, T) == { f \in [S -> T] : \A t \in T : \E s \in S : f[s] = t }
Bijection(S, T) == Injection(S, T) \cap Surjection(S, T)

ExistsInjection(S, T) == Injection(S, T) # {}
ExistsSurjection(S, T) == Surjection(S, T) # {}
ExistsBijection(S, T) == Bijection(S, T) # {}

\* op(f[xn], ... op(f[x2], op(f[x1], base))) over the elements of S in some order, or over the whole domain.
FoldFunctionOnSet(op(_, _), base, fun, indices) ==
  MapThenFoldSet(op, base, LAMBDA i : fun[i], LAMBDA S : CHOOSE x \in S : TRUE, indices)
FoldFunction(op(_, _), base, fun) == FoldFunctionOnSet(op, base, fun, DOMAIN fun)

SumFunctionOnSet(fun, indices) == FoldFunctionOnSet(+, 0, fun, indices)
SumFunction(fun) == SumFunctionOnSet(fun, DOMAIN fun)
=============================================================================
