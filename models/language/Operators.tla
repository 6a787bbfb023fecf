------------------------------ MODULE Operators ------------------------------
(***************************************************************************)
(* Operators that take operators, that define themselves, and symbols that *)
(* a specification gives a meaning to; functions that do the same.         *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS Size, Better(_, _)

VARIABLES pile, moves

(* Operators as arguments: by name, by symbol, as LAMBDA, curried by LET. *)
Apply(F(_), x) == F(x)
Fold(Op(_, _), first, list) ==
  LET go[i \in 0..Len(list)] == IF i = 0 THEN first ELSE Op(go[i - 1], list[i])
  IN  go[Len(list)]
Twice(F(_), x) == F(F(x))
AddTo(n) == LET Add(m) == m + n IN Apply(Add, 1)

ASSUME Fold(+, 0, <<1, 2, 3>>) = 6
ASSUME Fold(LAMBDA a, b : a * b, 1, <<2, 3, 4>>) = 24
ASSUME Fold(\o, <<>>, <<<<1>>, <<2, 3>>>>) = <<1, 2, 3>>
ASSUME Fold(\cup, {}, <<{1}, {2}, {1}>>) = {1, 2}
ASSUME AddTo(4) = 5
ASSUME Twice(LAMBDA n : Twice(LAMBDA m : m + n, n), 1) = 9
ASSUME Apply(-., 3) = -3

(* Symbols with a meaning of one's own. *)
a ++ b == a * 10 + b
a \prec b == a % 10 < b % 10
s ^+ == s \cup {x + 1 : x \in s}
ASSUME 1 ++ 2 ++ 3 = 123
ASSUME 20 \prec 19 /\ ~(19 \prec 20)
ASSUME {1}^+^+ = {1, 2, 3}

(* Operators that define themselves have to be declared. *)
RECURSIVE Ackermann(_, _), Even(_), Odd(_)
Ackermann(m, n) ==
  CASE m = 0 -> n + 1
    [] m > 0 /\ n = 0 -> Ackermann(m - 1, 1)
    [] OTHER -> Ackermann(m - 1, Ackermann(m, n - 1))
Even(n) == IF n = 0 THEN TRUE ELSE Odd(n - 1)
Odd(n) == IF n = 0 THEN FALSE ELSE Even(n - 1)
ASSUME Ackermann(2, 3) = 9
ASSUME Even(10) /\ ~Odd(10)

SumOf(S) ==
  LET RECURSIVE Sum(_)
      Sum(T) == IF T = {} THEN 0 ELSE LET t == CHOOSE t \in T : TRUE IN t + Sum(T \ {t})
  IN  Sum(S)
ASSUME SumOf({1, 5, 11}) = 17

(* Functions, too, but they know their domain. *)
factorial[n \in Nat] == IF n = 0 THEN 1 ELSE n * factorial[n - 1]
binomial[n \in 0..8, k \in 0..8] ==
  IF k = 0 \/ k = n THEN 1 ELSE IF k > n THEN 0 ELSE binomial[n - 1, k - 1] + binomial[n - 1, k]
ASSUME factorial[10] = 3628800
ASSUME binomial[8, 3] = 56 /\ binomial[<<4, 2>>] = 6

(* Sorting a pile by swaps, with an order that the configuration gives. *)
Less(a, b) == a < b
Odds(a, b) == IF a % 2 = b % 2 THEN a < b ELSE a % 2 = 1

Init ==
  /\ pile \in {p \in [1..Size -> 1..Size] : \A i, j \in 1..Size : i # j => p[i] # p[j]}
  /\ moves = 0

Swap(i) ==
  /\ Better(pile[i + 1], pile[i])
  /\ pile' = [pile EXCEPT ![i] = pile[i + 1], ![i + 1] = pile[i]]
  /\ moves' = moves + 1

Next == \E i \in 1..Size - 1 : Swap(i)

Sorted == \A i \in 1..Size - 1 : Better(pile[i], pile[i + 1])
SortedAtTheEnd == ~ENABLED Next => Sorted
FewMoves == moves <= binomial[Size, 2]
FewerMoves == moves < binomial[Size, 2]
==============================================================================
