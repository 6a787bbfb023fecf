------------------------------- MODULE Recycled -------------------------------
(***************************************************************************)
(* A ring of slots under temporal formulas, with theorems and proofs: all  *)
(* of that is read, and none of it changes which states there are.         *)
(***************************************************************************)
EXTENDS Naturals, TLAPS

CONSTANT N
ASSUME Positive == N \in Nat /\ N > 1

VARIABLES token, rounds

vars == <<token, rounds>>

Init == token = 0 /\ rounds = 0
Pass == /\ token < N - 1
        /\ token' = token + 1
        /\ UNCHANGED rounds
Round == token = N - 1 /\ token' = 0 /\ rounds' = 1 - rounds
Next == Pass \/ Round

Fairness == /\ WF_vars(Next)
            /\ SF_token(Round)
Spec == Init /\ [][Next]_vars /\ Fairness

Bounded == token \in 0..N - 1 /\ rounds \in {0, 1}

NeverRound == rounds = 0

ComesBack == []<>(token = 0) /\ (token = 1 ~> token = 0) /\ <>[](token # N)
Moves == [][token' # token]_token /\ \A i \in 0..N - 1 : []<><<Next>>_vars

LEMMA InitBounded == Init => Bounded
BY Positive DEF Init, Bounded

THEOREM Safe == Spec => []Bounded
<1>1. Init => Bounded
  BY InitBounded
<1>2. ASSUME Bounded, [Next]_vars
      PROVE  Bounded'
  <2>1. CASE Pass
    BY <2>1, Positive, <1>2 DEF Pass, Bounded
  <2>2. CASE Round
    <3> DEFINE half == N \div 2
    <3> SUFFICES TRUE
      OBVIOUS
    <3>a. half \in Nat
      OMITTED
    <3> QED BY <3>a, <2>2 DEF Round
  <2>3. CASE UNCHANGED vars
    BY <2>3, <1>2 DEF vars, Bounded
  <2> QED
    BY <1>2, <2>1, <2>2, <2>3 DEF Next
<1>3. QED
  PROOF BY <1>1, <1>2, PTL DEF Spec
--------------------------------------------------------------------------------
THEOREM ASSUME NEW n \in Nat, NEW P(_), P(0), \A m \in Nat : P(m) => P(m + 1)
        PROVE  P(n)
PROOF OMITTED

COROLLARY Spec => []<>(token = 0)
================================================================================
