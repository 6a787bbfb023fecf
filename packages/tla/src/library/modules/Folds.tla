------------------------------- MODULE Folds --------------------------------
(* Folding over a set in an order that the caller chooses. Native (library/natives/folds.ts). *)

\* op(f(x1), op(f(x2), ... op(f(xn), base))), where x1 = choose(S), x2 = choose(S \ {x1}) and so on.
MapThenFoldSet(op(_, _), base, f(_), choose(_), S) ==
  LET fold[rest \in SUBSET S] ==
        IF rest = {} THEN base
        ELSE LET x == choose(rest) IN op(f(x), fold[rest \ {x}])
  IN  fold[S]
=============================================================================
