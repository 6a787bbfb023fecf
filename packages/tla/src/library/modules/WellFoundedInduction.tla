------------------------ MODULE WellFoundedInduction ------------------------
(* What proofs by induction over well-founded relations refer to. A relation is a set of pairs. *)
EXTENDS NaturalsInduction

IsTransitivelyClosedOn(R, S) == \A x, y, z \in S : <<x, y>> \in R /\ <<y, z>> \in R => <<x, z>> \in R

\* No sequence of elements of S descends for ever.
IsWellFoundedOn(R, S) == ~\E f \in [Nat -> S] : \A n \in Nat : <<f[n + 1], f[n]>> \in R

SetLessThan(x, R, S) == { y \in S : <<y, x>> \in R }

WFDefOn(R, S, Def(_, _)) ==
  \A g, h : \A x \in S : (\A y \in SetLessThan(x, R, S) : g[y] = h[y]) => Def(g, x) = Def(h, x)

OpDefinesFcn(f, S, Def(_, _)) == f = CHOOSE g : g = [x \in S |-> Def(g, x)]

WFInductiveDefines(f, S, Def(_, _)) == f = [x \in S |-> Def(f, x)]

WFInductiveUnique(S, Def(_, _)) ==
  \A g, h : WFInductiveDefines(g, S, Def) /\ WFInductiveDefines(h, S, Def) => g = h

TransitiveClosureOn(R, S) ==
  { pair \in S \X S :
      \A U \in SUBSET (S \X S) : R \cap (S \X S) \subseteq U /\ IsTransitivelyClosedOn(U, S) => pair \in U }

OpToRel(_\prec_, S) == { pair \in S \X S : pair[1] \prec pair[2] }

PreImage(f(_), S, R) == { pair \in S \X S : <<f(pair[1]), f(pair[2])>> \in R }

LexPairOrdering(R1, R2, S1, S2) ==
  { pair \in (S1 \X S2) \X (S1 \X S2) :
      \/ <<pair[1][1], pair[2][1]>> \in R1
      \/ pair[1][1] = pair[2][1] /\ <<pair[1][2], pair[2][2]>> \in R2 }

LexProductOrdering(R, S, n) ==
  { pair \in [1..n -> S] \X [1..n -> S] :
      \E j \in 1..n :
        /\ \A i \in 1..(j - 1) : pair[1][i] = pair[2][i]
        /\ <<pair[1][j], pair[2][j]>> \in R }
=============================================================================
