------------------------------ MODULE Operators ------------------------------
(* Every operator that TLA+ has a symbol for, (* in a comment that is nested *)
   and each way to define one. *)
EXTENDS Integers, Sequences, Reals
CONSTANTS _ \prec _, _ ^#, -. _, F(_, _), G(_), a, b, c, S, T
VARIABLES x, y
-----------------------------------------------------------------------------
m \preceq n == m \prec n \/ m = n
m (+) n == m + n
m ++ n == m + n * 2 - 1
m \oslash n == <<m, n>>
m (\X) n == {m} \X {n}
m^+ == m
m^* == m ^ 2
Twice(_ @@ _, Plus(_, _), _^*, ~ _, p) == Plus(p @@ p, ~p^*)

Boolean == (a /\ b) \/ TRUE => FALSE
Logic == a /\ b => b \/ (c <=> TRUE)
Mixed == (a /\ b) \/ (c /\ a) \/ ~b \lor (\neg c \land a)
Equal == a = b /\ b # c /\ c /= a /\ a \equiv b
Order == 1 < 2 /\ 2 > 1 /\ 1 <= 2 /\ 1 =< 2 /\ 2 >= 1 /\ 1 \leq 2 /\ 2 \geq 1
Arithmetic == 1 + 2 * 3 - 4 ^ 2 \div 5 + (5 % 2) + -1 - -2
Minus == -1 + -a * b - -(c) - (-c) - -a * (-b)
Ratio == 1.5 / 2.25
Range == 1 .. 3 + 4
Numbers == <<0, 12, \b101, \B11, \o17, \O7, \hfF, \HA0>>
Sets == S \cup T \union {} \cup ({} \cap S \intersect T) \cup (S \ T)
Member == a \in S /\ b \notin T /\ S \subseteq T
Powers == SUBSET S \cup UNION T \cup DOMAIN a[x]
Products == S \X T \X S \times T
Nested == (S \X T) \X S
Sequence == <<1>> \o <<2>> \circ <<3>>
Primes == x' = x + 1 /\ (x + y)' = x' /\ a[x]'.b = x'[1].c^*
Temporal == []x /\ <>y /\ [](x = 1) ~> <>(y = 2)
Guarantees == Temporal -+-> []<>ENABLED (x' = 1)
Unchanged == UNCHANGED x /\ UNCHANGED <<x, y>>
Composed == (x' = 1) \cdot (y' = 1)
Functions == a :> 1 @@ b :> 2 @@ c :> 3
Uncommon == a ## b ## c /\ (1 $ 2) $$ 3 /\ a !! b /\ (1 ?? 2) | 3 | 4 /\ 3 || 4 /\ a & b & c /\ a && b
More == a |- b /\ a |= b /\ a -| b /\ a =| b /\ a := b /\ a ::= b /\ a <: b /\ c :> b
Bags == a \uplus b \uplus c /\ a \sqcap b /\ a \sqcup b /\ a \wr b
Circles == a \star b \star c /\ a \bigcirc b /\ a \bullet b /\ a \odot b (.) c /\ a (/) b /\ a (-) b \ominus c
Relations == a \sim b /\ a \simeq b /\ a \asymp b /\ a \approx b /\ a \cong b /\ a \doteq b /\ a \propto b
Arrows == a \ll b /\ a \gg b /\ a \succ b /\ a \succeq b /\ a \subset b /\ a \supset b /\ a \supseteq b
Squares == a \sqsubset b /\ a \sqsubseteq b /\ a \sqsupset b /\ a \sqsupseteq b
Rest == a ^^ b /\ a -- b -- c /\ a ** b ** c /\ a // b /\ a %% b %% c /\ 1 ... 2
Higher == <<F(+, \in), F(-, -.), F(^+, I!-), F(LAMBDA u, v : u + v, DOMAIN), +(1, 2), -.(1)>>
Glued == {S\o<<1>>, S\X T, 1..2, a=b, 3-2, x'=y}
=============================================================================
