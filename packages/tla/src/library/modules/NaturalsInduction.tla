-------------------------- MODULE NaturalsInduction -------------------------
(* What proofs by induction over the natural numbers refer to. The theorems themselves stand in proofs only. *)
EXTENDS Integers

\* f[0] = f0, f[n] = Def(f[n - 1], n): as it is defined, and as it is then proved to be.
NatInductiveDefHypothesis(f, f0, Def(_, _)) ==
  f = CHOOSE g : g = [n \in Nat |-> IF n = 0 THEN f0 ELSE Def(g[n - 1], n)]
NatInductiveDefConclusion(f, f0, Def(_, _)) ==
  f = [n \in Nat |-> IF n = 0 THEN f0 ELSE Def(f[n - 1], n)]

\* The same over m..n.
FiniteNatInductiveDefHypothesis(f, c, Def(_, _), m, n) ==
  f = CHOOSE g : g = [i \in m..n |-> IF i = m THEN c ELSE Def(g[i - 1], i)]
FiniteNatInductiveDefConclusion(f, c, Def(_, _), m, n) ==
  f = [i \in m..n |-> IF i = m THEN c ELSE Def(f[i - 1], i)]
=============================================================================
