------------------------------- MODULE Choices -------------------------------
(***************************************************************************)
(* CHOOSE, CASE, IF and LET; numbers, sets and strings; and what bounds    *)
(* may bind.  Where a value is chosen, only what it satisfies is used.     *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, Sequences, TLC

CONSTANTS Measures, Goal, Absent

VARIABLE jugs

(* CHOOSE picks one, and always the same one. *)
Maximum(S) == CHOOSE m \in S : \A s \in S : s <= m
ASSUME Maximum({3, 17, 5}) = 17
ASSUME (CHOOSE n \in 1..9 : n * n = 49) = 7
ASSUME (CHOOSE n \in 1..9 : n > 4) = (CHOOSE n \in 1..9 : 4 < n)
ASSUME (CHOOSE <<a, b>> \in (1..5) \X (1..5) : a * b = 25) = <<5, 5>>
ASSUME Absent \notin Nat /\ Absent # "Absent" /\ Absent # 1

(* The first arm that holds; none but the first one that is needed is looked at. *)
Sign(n) == CASE n < 0 -> -1 [] n = 0 -> 0 [] OTHER -> 1
ASSUME <<Sign(-5), Sign(0), Sign(5)>> = <<-1, 0, 1>>
ASSUME IF TRUE THEN TRUE ELSE 1 \div 0 = 1
ASSUME LET never == 1 \div 0 IN TRUE
ASSUME FALSE => CHOOSE n \in {} : TRUE

(* Whole numbers: division rounds down, and the rest has the divisor's sign. *)
ASSUME <<7 \div 2, (-7) \div 2, 7 % 2, -7 % 2>> = <<3, -4, 1, 1>>
ASSUME -7 \div 2 = -3 \* as `-` binds less than `\div`, but more than `%`
ASSUME 2^10 = \b10000000000 /\ \o17 = 15 /\ \hFf = 255 /\ 2^30 - 1 + 2^30 = 2147483647
ASSUME 5..3 = {} /\ -1..1 = {-1, 0, 1} /\ - 3 - -3 = 0 /\ -2^2 = -4
ASSUME 3 \in Nat /\ -3 \notin Nat /\ -3 \in Int /\ 1..3 \subseteq Nat

(* Sets. *)
ASSUME {1, 2, 2, 1} = {2, 1} /\ Cardinality({{}, {{}}}) = 2 /\ {{1, 2}} \ {{2, 1}} = {}
ASSUME {S \in SUBSET (1..4) : Cardinality(S) = 2 /\ 1 \in S} = {{1, 2}, {1, 3}, {1, 4}}
ASSUME \A S \in SUBSET {1, 2}, x \in {1, 2} : x \in S <=> S \cup {x} = S
ASSUME \E x, y \in 1..3, z \in {w : w \in 4..5} : x * x + y * y = z
ASSUME ~(\E x \in {} : TRUE) /\ \A x \in {} : FALSE
ASSUME {"a", "b"} = {"b", "a"} /\ "a\tb\\\"" # "a b" /\ ToString(<<1, "x">>) = "<<1, \"x\">>"

-----------------------------------------------------------------------------
(* Jugs are filled, emptied and poured into each other until one holds the *)
(* goal (a riddle known since the Annales Stadenses, 13th century).        *)

Jugs == DOMAIN Measures
Smaller(a, b) == IF a < b THEN a ELSE b

Init == jugs = [jug \in Jugs |-> 0]

Fill(jug) == jugs' = [jugs EXCEPT ![jug] = Measures[jug]]
Empty(jug) == jugs' = [jugs EXCEPT ![jug] = 0]
Pour(from, to) ==
  LET amount == Smaller(jugs[from], Measures[to] - jugs[to])
  IN  /\ from # to
      /\ jugs' = [jugs EXCEPT ![from] = @ - amount, ![to] = @ + amount]

Next == \E jug \in Jugs : Fill(jug) \/ Empty(jug) \/ \E to \in Jugs : Pour(jug, to)

NeverOver == \A jug \in Jugs : jugs[jug] \in 0..Measures[jug]
NeverReached == \A jug \in Jugs : jugs[jug] # Goal

FiveAndThree == <<5, 3>>
Three == [large |-> 8, middle |-> 5, small |-> 3]
==============================================================================
