-------------------------------- MODULE Bags --------------------------------
(* A bag is a set with copies: a function from its elements to how many copies there are, at least one. *)
(* All but SubBag are native (library/natives/bags.ts).                                                 *)
EXTENDS TLC
LOCAL INSTANCE Naturals

IsABag(B) == B \in [DOMAIN B -> Nat \ {0}]

BagToSet(B) == DOMAIN B

SetToBag(S) == [e \in S |-> 1]

BagIn(e, B) == e \in BagToSet(B)

EmptyBag == SetToBag({})

CopiesIn(e, B) == IF BagIn(e, B) THEN B[e] ELSE 0

B1 (+) B2 == [e \in (DOMAIN B1) \cup (DOMAIN B2) |-> CopiesIn(e, B1) + CopiesIn(e, B2)]

B1 (-) B2 ==
  LET left(e) == IF BagIn(e, B2) THEN B1[e] - B2[e] ELSE B1[e]
  IN  [e \in { d \in DOMAIN B1 : left(d) > 0 } |-> left(e)]

LOCAL Total(f) ==
  LET total[S \in SUBSET DOMAIN f] ==
        IF S = {} THEN 0
        ELSE LET e == CHOOSE e \in S : TRUE IN f[e] + total[S \ {e}]
  IN  total[DOMAIN f]

BagUnion(S) ==
  [e \in UNION { BagToSet(B) : B \in S } |-> Total([B \in S |-> CopiesIn(e, B)])]

B1 \sqsubseteq B2 ==
  /\ DOMAIN B1 \subseteq DOMAIN B2
  /\ \A e \in DOMAIN B1 : B1[e] <= B2[e]

\* All bags that are \sqsubseteq B: for each set of elements, every choice of how many copies of each.
SubBag(B) ==
  LET copies(S) == { f \in [S -> UNION { 1..B[e] : e \in S }] : \A e \in S : f[e] <= B[e] }
  IN  UNION { copies(S) : S \in SUBSET DOMAIN B }

BagOfAll(F(_), B) ==
  [e \in { F(d) : d \in BagToSet(B) } |->
     Total([d \in BagToSet(B) |-> IF F(d) = e THEN B[d] ELSE 0])]

BagCardinality(B) == Total(B)
=============================================================================
