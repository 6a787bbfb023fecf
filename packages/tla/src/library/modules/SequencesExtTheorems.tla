------------------------ MODULE SequencesExtTheorems ------------------------
(* What proofs about SequencesExt refer to. *)
EXTENDS Sequences, SequencesExt, Functions, Integers, WellFoundedInduction

StrictPrefixesDetermineDef(S, Def(_, _)) ==
  \A g, h : \A s \in Seq(S) :
    (\A p \in Seq(S) : IsStrictPrefix(p, s) => g[p] = h[p]) => Def(g, s) = Def(h, s)

StrictSuffixesDetermineDef(S, Def(_, _)) ==
  \A g, h : \A s \in Seq(S) :
    (\A p \in Seq(S) : IsStrictSuffix(p, s) => g[p] = h[p]) => Def(g, s) = Def(h, s)

TailInductiveDefHypothesis(f, S, f0, Def(_, _)) ==
  f = CHOOSE g : g = [s \in Seq(S) |-> IF s = <<>> THEN f0 ELSE Def(g[Tail(s)], s)]
TailInductiveDefConclusion(f, S, f0, Def(_, _)) ==
  f = [s \in Seq(S) |-> IF s = <<>> THEN f0 ELSE Def(f[Tail(s)], s)]

FrontInductiveDefHypothesis(f, S, f0, Def(_, _)) ==
  f = CHOOSE g : g = [s \in Seq(S) |-> IF s = <<>> THEN f0 ELSE Def(g[Front(s)], s)]
FrontInductiveDefConclusion(f, S, f0, Def(_, _)) ==
  f = [s \in Seq(S) |-> IF s = <<>> THEN f0 ELSE Def(f[Front(s)], s)]
=============================================================================
