------------------------------ MODULE BagsExt -------------------------------
(* More operators on bags. FoldBag is native (library/natives/folds.ts). *)
LOCAL INSTANCE Bags
LOCAL INSTANCE Integers
LOCAL INSTANCE Folds

\* One copy more, one less, none at all.
BagAdd(B, x) ==
  IF x \in DOMAIN B THEN [B EXCEPT ![x] = @ + 1]
  ELSE [e \in DOMAIN B \cup {x} |-> IF e = x THEN 1 ELSE B[e]]
BagRemove(B, x) ==
  IF x \notin DOMAIN B THEN B
  ELSE IF B[x] = 1 THEN [e \in DOMAIN B \ {x} |-> B[e]]
  ELSE [B EXCEPT ![x] = @ - 1]
BagRemoveAll(B, x) == [e \in DOMAIN B \ {x} |-> B[e]]

\* Folds over the images of the elements under f, each as often as it has copies; first the copies of one among themselves.
MapThenFoldBag(op(_, _), base, f(_), choose(_), B) ==
  LET copies(x) ==
        LET fold[n \in Nat \ {0}] == op(IF n = 1 THEN base ELSE fold[n - 1], f(x)) IN fold[B[x]]
  IN  MapThenFoldSet(op, base, copies, LAMBDA S : CHOOSE x \in S : TRUE, DOMAIN B)

FoldBag(op(_, _), base, B) ==
  MapThenFoldBag(op, base, LAMBDA x : x, LAMBDA S : CHOOSE x \in S : TRUE, B)

SumBag(B) == FoldBag(LAMBDA x, y : x + y, 0, B)
ProductBag(B) == FoldBag(LAMBDA x, y : x * y, 1, B)
=============================================================================
