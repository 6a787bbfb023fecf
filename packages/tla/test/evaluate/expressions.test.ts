/** Expressions of all kinds, with what TLC 2.20 prints for them. */
import { expect, test } from 'vitest'
import { machineOf, valueIn } from './helper.ts'

const MODULES = [
  String.raw`---- MODULE O ----
EXTENDS Integers, Sequences, FiniteSets, TLC
CONSTANT a
VARIABLE v
b == 5
f == [i \in 1..3 |-> i * i]
g == [a |-> <<1, 2>>, b |-> 0]
h == [x \in 1..2, y \in 1..2 |-> x + y]
Sel == a + 2
Conj == /\ a = 3 /\ a > 1
        /\ a < 10
Lbl == 5 + lab :: (a * 2)
Ex == \E q \in 1..3 : q > a
x1 ** x2 == x1 * x2 + 1
x1 %% x2 == <<x1, x2>>
Choosy == CHOOSE q \in {3, 1, 2} : q > 1
RECURSIVE SumSet(_)
SumSet(S) == IF S = {} THEN 0 ELSE LET q == CHOOSE q \in S : TRUE IN q + SumSet(S \ {q})
ApplyTwice(F(_), q) == F(F(q))
Compose(F(_), G(_), q) == F(G(q))
TupleFn[<<p, q>> \in {<<1, 2>>, <<2, 3>>}] == p * 10 + q
I == INSTANCE P WITH c <- a
J(n) == INSTANCE P WITH c <- n
Init == v = 0
Next == UNCHANGED v
====`,
  `---- MODULE P ----
EXTENDS Naturals
CONSTANT c
Double(x) == x * 2 + c
Times(x) == x * c
K == INSTANCE Q WITH d <- c + 1
====`,
  `---- MODULE Q ----
EXTENDS Naturals
CONSTANT d
Plus(x) == x + d
====`,
]

/** An expression and its value on each line. */
const TABLE = String.raw`
[i \in 1..3 |-> i * i]  ~~>  <<1, 4, 9>>
[i \in 1..3 |-> i][2]  ~~>  2
[i, j \in 1..2 |-> i + j]  ~~>  (<<1, 1>> :> 2 @@ <<1, 2>> :> 3 @@ <<2, 1>> :> 3 @@ <<2, 2>> :> 4)
[i, j \in 1..2 |-> i + j][1, 2]  ~~>  3
[<<i, j>> \in {<<1, 2>>, <<3, 4>>} |-> i + j]  ~~>  (<<1, 2>> :> 3 @@ <<3, 4>> :> 7)
[i \in 1..2, <<j, k>> \in {<<5, 6>>} |-> i + j * k][2, <<5, 6>>]  ~~>  32
[f EXCEPT ![1] = @ + 1]  ~~>  <<2, 4, 9>>
[f EXCEPT ![9] = 5]  ~~>  <<1, 4, 9>>
[f EXCEPT ![1] = 5, ![2] = @ + f[1], ![1] = @ + 100]  ~~>  <<105, 5, 9>>
[g EXCEPT !["a"][2] = 7]  ~~>  [a |-> <<1, 7>>, b |-> 0]
[g EXCEPT !.a[2] = @ + 1, !.b = <<>>]  ~~>  [a |-> <<1, 3>>, b |-> <<>>]
[g EXCEPT !.a = [@ EXCEPT ![1] = @ + 1]]  ~~>  [a |-> <<2, 2>>, b |-> 0]
[h EXCEPT ![1, 2] = 17]  ~~>  (<<1, 1>> :> 2 @@ <<1, 2>> :> 17 @@ <<2, 1>> :> 3 @@ <<2, 2>> :> 4)
{x \in 1..10 : x % 2 = 0}  ~~>  {2, 4, 6, 8, 10}
{<<x, y>> \in (1..3) \X (1..3) : x < y}  ~~>  {<<1, 2>>, <<1, 3>>, <<2, 3>>}
{x * y : x \in 1..3, y \in 1..3}  ~~>  {1, 2, 3, 4, 6, 9}
{x + y : <<x, y>> \in {<<1, 2>>, <<2, 1>>}}  ~~>  {3}
{x + y : x, y \in 1..2}  ~~>  {2, 3, 4}
CHOOSE x \in 1..5 : x * x > 8  ~~>  3
CHOOSE <<x, y>> \in (1..3) \X (1..3) : x + y = 5  ~~>  <<2, 3>>
\E x \in 1..5 : x > 4  ~~>  TRUE
\A x \in {} : x.foo  ~~>  TRUE
\A x, y \in 1..3 : x + y = y + x  ~~>  TRUE
\E x \in 1..3, y \in 4..6 : x + 3 = y  ~~>  TRUE
\E <<x, y>> \in {<<1, 2>>} : x > y  ~~>  FALSE
IF TRUE THEN 2 ELSE 1 + "a"  ~~>  2
CASE 1 = 2 -> 1 [] 1 = 1 -> 2 [] 2 = 2 -> 3  ~~>  2
CASE 1 = 2 -> 1 [] OTHER -> 5  ~~>  5
FALSE /\ 1  ~~>  FALSE
TRUE \/ 1  ~~>  TRUE
FALSE => 3  ~~>  TRUE
LET x == 1 + "a" IN 5  ~~>  5
LET F(x) == x + 1 IN F(F(1))  ~~>  3
LET F(x, y) == x IN F(1, 1 + "a")  ~~>  1
LET fact[n \in Nat] == IF n = 0 THEN 1 ELSE n * fact[n - 1] IN fact[10]  ~~>  3628800
LET fact[n \in 0..5] == IF n = 0 THEN 1 ELSE n * fact[n - 1] IN fact  ~~>  (0 :> 1 @@ 1 :> 1 @@ 2 :> 2 @@ 3 :> 6 @@ 4 :> 24 @@ 5 :> 120)
LET fib[n \in Nat] == IF n < 2 THEN n ELSE fib[n - 1] + fib[n - 2] IN fib[30]  ~~>  832040
LET ack[m, n \in Nat] == IF m = 0 THEN n + 1 ELSE IF n = 0 THEN ack[m - 1, 1] ELSE ack[m - 1, ack[m, n - 1]] IN ack[2, 3]  ~~>  9
LET RECURSIVE Sum(_) Sum(S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \in S : TRUE IN x + Sum(S \ {x}) IN Sum(1..10)  ~~>  55
LET Op(F(_), x) == F(F(x)) IN Op(LAMBDA y : y * 2, 3)  ~~>  12
LET Op(F(_, _), x) == F(x, x) IN Op(+, 3)  ~~>  6
LET RECURSIVE Even(_), Odd(_) Even(n) == IF n = 0 THEN TRUE ELSE Odd(n - 1) Odd(n) == IF n = 0 THEN FALSE ELSE Even(n - 1) IN <<Even(10), Odd(7), Even(7)>>  ~~>  <<TRUE, TRUE, FALSE>>
LET RECURSIVE Perms(_) Perms(S) == IF S = {} THEN {<<>>} ELSE UNION {{<<x>> \o p : p \in Perms(S \ {x})} : x \in S} IN Perms(1..3)  ~~>  {<<1, 2, 3>>, <<1, 3, 2>>, <<2, 1, 3>>, <<2, 3, 1>>, <<3, 1, 2>>, <<3, 2, 1>>}
[a |-> 1, b |-> 2].b  ~~>  2
[a |-> 1]["a"]  ~~>  1
DOMAIN f  ~~>  {1, 2, 3}
DOMAIN g  ~~>  {"a", "b"}
DOMAIN <<>>  ~~>  {}
SUBSET {1, 2}  ~~>  {{}, {1}, {2}, {1, 2}}
UNION {{1}, {2, 3}}  ~~>  {1, 2, 3}
UNION {}  ~~>  {}
{1, 2} \cup {2, 3}  ~~>  {1, 2, 3}
{1, 2} \cap {2, 3}  ~~>  {2}
{1, 2} \ {2, 3}  ~~>  {1}
{1, 2} \subseteq 1..5  ~~>  TRUE
1 \in Nat  ~~>  TRUE
-1 \in Nat  ~~>  FALSE
{1} \in SUBSET {1, 2}  ~~>  TRUE
[a |-> 1] \in [a : Nat]  ~~>  TRUE
[a |-> 1, b |-> 1] \in [a : Nat]  ~~>  FALSE
f \in [1..3 -> Nat]  ~~>  TRUE
<<1, "a">> \in Nat \X STRING  ~~>  TRUE
<<1, 2, 3>> \in Nat \X Nat  ~~>  FALSE
<<1, 2>> \in Seq(Nat)  ~~>  TRUE
{} \in SUBSET Nat  ~~>  TRUE
[{1} -> {2, 3}]  ~~>  {<<2>>, <<3>>}
[a : {1, 2}, b : {3}]  ~~>  {[a |-> 1, b |-> 3], [a |-> 2, b |-> 3]}
{1, 2} \X {3}  ~~>  {<<1, 3>>, <<2, 3>>}
[{} -> {1}]  ~~>  {<<>>}
{} = {"a"}  ~~>  FALSE
<<1, 2>> = <<"a">>  ~~>  FALSE
[a |-> 1] = [b |-> 1]  ~~>  FALSE
f = <<1, 4, 9>>  ~~>  TRUE
[i \in {2} |-> 1] = <<1>>  ~~>  FALSE
{TRUE, FALSE}  ~~>  {FALSE, TRUE}
<<1, "a", {TRUE}>>  ~~>  <<1, "a", {TRUE}>>
-7 \div 2  ~~>  -3
-7 % 3  ~~>  2
2 ^ 10  ~~>  1024
1 .. 3  ~~>  {1, 2, 3}
3 .. 1  ~~>  {}
-(3)  ~~>  -3
- 5 + 2  ~~>  -3
5 - -3  ~~>  8
(1 :> 2) @@ (3 :> 4)  ~~>  (1 :> 2 @@ 3 :> 4)
Len(<<1, 2>>)  ~~>  2
BOOLEAN  ~~>  {FALSE, TRUE}
"a" \in STRING  ~~>  TRUE
[x \in Nat |-> x][5]  ~~>  5
2 \in {x \in Nat : x < 3}  ~~>  TRUE
Sel!1  ~~>  3
Conj!2  ~~>  TRUE
Conj!1!2  ~~>  TRUE
Lbl!lab  ~~>  6
Ex!(5)  ~~>  TRUE
Ex!(3)!<<  ~~>  3
I!Double(4)  ~~>  11
J(3)!Times(5)  ~~>  15
J(3)!K!Plus(1)  ~~>  5
a ** 3  ~~>  10
a %% b  ~~>  <<3, 5>>
Choosy  ~~>  2
UNION {[1..n -> {0, 1}] : n \in 0..2}  ~~>  {<<>>, <<0>>, <<1>>, <<0, 0>>, <<0, 1>>, <<1, 0>>, <<1, 1>>}
\A n \in 1..3 : \E m \in 1..3 : m = n  ~~>  TRUE
LET S == {1, 2, 3} T == {x \in S : x > 1} IN T \cup S  ~~>  {1, 2, 3}
LET x == 1 y == x + 1 z == y + x IN z  ~~>  3
{IF x = 1 THEN {} ELSE {x} : x \in 1..3}  ~~>  {{}, {2}, {3}}
[x \in {"a", "b"} |-> x]  ~~>  [a |-> "a", b |-> "b"]
[x \in {} |-> 1]  ~~>  <<>>
[x \in {1, 2} |-> [y \in {x} |-> x + y]]  ~~>  <<<<2>>, (2 :> 4)>>
[n \in 1..3 |-> [m \in 1..n |-> n * m]]  ~~>  <<<<1>>, <<2, 4>>, <<3, 6, 9>>>>
LET F[x \in 1..3] == x + a IN F[2]  ~~>  5
\E S \in SUBSET {1, 2, 3} : 3 \in S /\ 1 \notin S  ~~>  TRUE
CHOOSE S \in SUBSET {1, 2, 3} : 3 \in S /\ 1 \notin S  ~~>  {3}
CHOOSE ff \in [{1, 2} -> {1, 2}] : ff[1] # ff[2]  ~~>  <<1, 2>>
SumSet({1, 2, 3})  ~~>  6
ApplyTwice(LAMBDA x : x + a, 1)  ~~>  7
Compose(SumSet, LAMBDA x : {x, 2}, 1)  ~~>  3
TupleFn[<<1, 2>>]  ~~>  12
`

const machine = machineOf('CONSTANT a = 3 INIT Init NEXT Next', ...MODULES)

const lines = TABLE.split('\n').filter((line) => line !== '')

test.each(lines.map((line) => line.split('  ~~>  ') as [string, string]))('%s is %s', (expression, value) => {
  expect(valueIn(machine, expression)).toBe(value)
})
