------------------------------ MODULE Junctions ------------------------------
(***************************************************************************)
(* Lists of conjuncts and disjuncts are held together by the column of     *)
(* their bullets; so what an operator takes in depends on where it stands. *)
(***************************************************************************)
EXTENDS Naturals

VARIABLES x, y

\* Bullets nested by column. The list of \/ ends where the /\ left of it goes on.
Nested(a, b, c, d) ==
  /\ \/ a
     \/ b
  /\ \/ /\ c
        /\ a
     \/ d

\* The same on a line each needs parentheses.
Flat(a, b, c, d) == (a \/ b) /\ ((c /\ a) \/ d)

\* An => inside a bullet belongs to it; one to the left of the bullets takes the list.
Inside(a, b) ==
  /\ a => b
  /\ b
Outside(a, b) ==
    /\ a
    /\ b
  => b

\* A single bullet is a list too, and what follows an IF, a LET or a quantifier reaches as far as its column lets it.
Reach(a, S) ==
  /\ \A s \in S : s > 0 /\ s < 9
  /\ IF a THEN TRUE ELSE
     FALSE
  /\ LET t == 1 IN
     /\ t \in S
     /\ t + 1 \in S

\* Precedence: ~ before /\, /\ before =>, + before =, * before +; and \/ and /\ mix only with parentheses.
ASSUME ~FALSE /\ TRUE => TRUE
ASSUME 1 + 2 * 3 = 7 /\ (1 + 2) * 3 = 9
ASSUME 10 - 3 - 2 = 5 /\ 2^3 = 8
ASSUME 1..2 \cup {3} = {1, 2, 3} /\ {1} \X {2} \X {3} = {<<1, 2, 3>>}
ASSUME \A a, b, c, d \in BOOLEAN : Nested(a, b, c, d) = Flat(a, b, c, d)
ASSUME \A a, b \in BOOLEAN : Inside(a, b) = b /\ Outside(a, b)
ASSUME Reach(TRUE, {1, 2, 3}) /\ ~Reach(TRUE, {1, 3}) /\ ~Reach(FALSE, {1, 2})
(* A comment (* within a comment *) ends where the outer one does. *)
ASSUME "\"(*\\" # "(*" \* neither of them begins a comment

\* Both disjuncts hold where y is 0: an initial state counts once, however often it is found.
Init == x = 0 /\ y \in {0, 1} /\ (y < 2 \/ y = 0)

Next ==
  \/ /\ x < 3
     /\ x' = x + 1
     /\ \/ y' = y
        \/ /\ y = 0
           /\ y' = 1
  \/ /\ x = 3
     /\ y # 0
     /\ x' = 0  /\  y' = 0

\* x is 3 and y is 1 at a time.
NeverBoth ==
  \/ x # 3
  \/ y # 1
==============================================================================
What stands after the end of a module is not read: /\ ( [
