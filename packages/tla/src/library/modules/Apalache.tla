------------------------------ MODULE Apalache ------------------------------
(* What specifications for the model checker Apalache refer to, with the meaning that it has for those who enumerate. *)
(* The recursive ones are native (library/natives/folds.ts).                                                           *)
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences

\* An assignment.
x := e == x = e

\* A value of at most so many parts, any: there is nothing to generate from here.
Gen(size) == {}

\* An element.
Guess(S) == CHOOSE x \in S : TRUE

SetAsFun(S) == [x \in { pair[1] : pair \in S } |-> (CHOOSE pair \in S : pair[1] = x)[2]]

MkSeq(N, F(_)) == [i \in 1..N |-> F(i)]

\* The sequence of the first len values of a function over 1..capacity.
FunAsSeq(fn, len, capacity) == SubSeq([i \in 1..capacity |-> fn[i]], 1, len)

\* Hints for its translation.
Skolem(e) == e
Expand(S) == S
ConstCardinality(e) == e

RECURSIVE ApaFoldSet(_, _, _)
ApaFoldSet(Op(_, _), v, S) ==
  IF S = {} THEN v
  ELSE LET x == CHOOSE x \in S : TRUE IN ApaFoldSet(Op, Op(v, x), S \ {x})

RECURSIVE ApaFoldSeqLeft(_, _, _)
ApaFoldSeqLeft(Op(_, _), v, seq) ==
  IF seq = <<>> THEN v ELSE ApaFoldSeqLeft(Op, Op(v, Head(seq)), Tail(seq))

\* F(... F(F(x, 1), 2) ..., N).
RECURSIVE Repeat(_, _, _)
Repeat(F(_, _), N, x) == IF N <= 0 THEN x ELSE F(Repeat(F, N - 1, x), N)
=============================================================================
