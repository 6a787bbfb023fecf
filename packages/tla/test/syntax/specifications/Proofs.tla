------------------------------- MODULE Proofs -------------------------------
EXTENDS Integers, TLAPS
CONSTANT S, Op(_)
VARIABLE x
Inv == x \in S
Next == x' = x
USE DEF Inv
THEOREM Obvious == 1 = 1 OBVIOUS
THEOREM 1 = 1 PROOF OBVIOUS
LEMMA Omitted == 1 = 1
  OMITTED
LEMMA 1 = 1
PROOF OMITTED
COROLLARY Facts == Inv
  BY Obvious, 1 = 1, MODULE Integers, Op(1), \A y : y = y DEF Inv, MODULE Proofs, +, \prec, Op
THEOREM Only == Inv BY ONLY Obvious DEFS Next
THEOREM Sequent ==
  ASSUME NEW c \in S, NEW CONSTANT d, CONSTANT e, NEW F(_), NEW _ \prec _, VARIABLE v, NEW VARIABLE w,
         NEW STATE s, STATE t, ACTION A, NEW TEMPORAL U(_), c = 1,
         ASSUME NEW n, n = 1 PROVE n > 0,
         label :: ASSUME TRUE PROVE TRUE
  PROVE  c \in S
BY DEF Inv
THEOREM Boxes == []ASSUME TRUE []PROVE TRUE
THEOREM Structured == Inv /\ [Next]_x => Inv'
<1> USE DEF Next
<1> HIDE Obvious
<1>1. SUFFICES ASSUME Inv, [Next]_x
               PROVE  Inv'
  OBVIOUS
<1>2 DEFINE P(n) == n = 1
            g[n \in S] == n
<1> q == 3
<1>3. ASSUME NEW n \in S
      PROVE  P(n)
  <2>1. CASE n = 1
    BY <2>1, <1>2!:
  <2>. TAKE m \in S, <<k, l>> \in S \X S
  <2> TAKE i, j
  <2>a. \A i \in S : /\ i = 1
                     /\ i = 2
    <3>1. PICK i \in S : i = 1 BY <2>a
    <3>2. PICK i, j : i = j
      PROOF BY <3>1
    <3> HAVE n = 1
    <3> WITNESS 1, <<2, 3>>
    <3>3. n = 1 <=> TRUE
      <4> QED OBVIOUS
    <3>... SUFFICES n = 1
    <3> INSTANCE Integers WITH n <- 1
    <3>4. QED
      BY <3>1, <3>2 DEF P
  <2>b. QED
<1>*. 3 = 3
<*> 4 = 4
  <+>. 5 = 5
  <2>2. 5 = 5
  <*>. QED BY <*>2
<1>lambda. CASE x = 1
<1>7. x = <1>lambda!1
  PROOF
    <+> QED PROOF OMITTED
<1> QED
After == 1
THEOREM TRUE
PROOF
  <7>1. TRUE
    <9> QED
  <7>2. QED
  -----
THEOREM /\ TRUE
        /\ FALSE
  <0> QED
=============================================================================
