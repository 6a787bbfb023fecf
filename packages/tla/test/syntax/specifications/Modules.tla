-----------------MODULE Modules-----
EXTENDS Integers,
        Sequences \* commented
CONSTANT N
CONSTANTS M, Op(_, _),
          _ + _
VARIABLE x
VARIABLES y,
          z
------------------------------------------------
RECURSIVE Fact(_), Even(_)
Fact(n) == IF n = 0 THEN 1 ELSE n * Fact(n - 1)
Even(n) == n = 0 \/ ~Even(n - 1)
ASSUME N \in Nat
ASSUME Positive == N > 0
ASSUMPTION M = 1
AXIOM Truth == TRUE
LOCAL Hidden == 1
LOCAL h[n \in Nat, <<a, b>> \in Nat \X Nat] == n + a
LOCAL a \oplus b == a
LOCAL INSTANCE Naturals
INSTANCE Other WITH u <- x, v <- LAMBDA p : p, - <- +, \prec <- \in, w <- -x
Plain == INSTANCE Other
Given(p, Q(_)) == INSTANCE Other WITH u <- p, v <- Q
LOCAL Mine == INSTANCE Other
   ------ MODULE Inner ------
   EXTENDS Integers
   VARIABLE x
   ---- MODULE Innermost ----
   Deep == 1
   ====
   I == INSTANCE Innermost
   Init == x = I!Deep
   ==========================
Sub == INSTANCE Inner
Init == Sub!Init /\ Given(1, Fact)!I!J(2)!Op(3)
THEOREM Init
THEOREM Name == Init => TRUE
LEMMA N > 0
PROPOSITION P == TRUE
COROLLARY TRUE
USE Positive DEF Init
HIDE DEF Fact, Even
Last == 1
====
