Text before the module counts for nothing: "not a string, (* nor a comment.

 -------- MODULE Forms --------
EXTENDS Integers, Sequences, TLC
LOCAL INSTANCE FiniteSets
CONSTANT S, T, Op(_), WFx, SF1, _low, _2b, 3d, W_, TRUEx
VARIABLES f, g, v, vars

Strings == <<"", "plain", "a \"quoted\" \\ word", "tab\tnewline\nreturn\rfeed\f", "(* no comment *)", "\\* nor this">>
Tuples == <<<<>>, <<1>>, <<1, <<2, 3>>>>>>
Sets == {{}, {1}, {1, 2}, {{1}}}
Filters == {x \in S : x > 1} \cup {<<x, y>> \in S \X T : x = y}
Maps == {x + y : x \in S, y \in T} \cup {z : x, y \in S, <<z, w>> \in T} \cup {x : x \in S}
Membership == {x \in S} = {TRUE, 1 \in S}
FunctionForms == [x \in S |-> x] = [x, y \in S, <<z, w>> \in T |-> <<x, z>>]
FunctionSets == [S -> T] \cup [S -> [T -> S]]
Records == [a |-> 1, b |-> [c |-> 2]] \in [a : S, b : [c : T]]
Reserved == [IF |-> 1].IF + [f EXCEPT !.THEN = 1].THEN
Applications == f[1] + f[1, 2] + f[1][2].a.b[3] + [x \in S |-> x][1] + <<1>>[1] + "s"[1]
Excepts == [f EXCEPT ![1] = @ + 1, ![1, 2].a[3] = 4, !.b.c = @ \o <<@>>]
Ifs == IF S = T THEN IF f THEN 1 ELSE 2 ELSE IF g THEN 3 ELSE 4
Cases == CASE f -> 1 [] g -> 2
Others == CASE f -> CASE g -> 1 [] v -> 2 [] OTHER -> 3
Boxed == CASE []f -> []g [] <>f -> g [] OTHER -> FALSE
Quantifiers == \A x, y \in S, <<z, w>> \in T : \E u \in x : u = z /\ \A n : n = w
Exists == \exists x \in S : \forall y : \E <<p, q>> \in T : x
TemporalQuantifiers == \EE x, y : \AA z : [][x' = y]_z
Choices == (CHOOSE x \in S : TRUE) + (CHOOSE x : x \notin S) + CHOOSE <<p, q>> \in T : p = q
Lets == LET a == 1
            b(p, O(_)) == O(p) + a
            h[n \in Nat] == IF n = 0 THEN 1 ELSE h[n - 1]
            p ++ q == p + q
            J(p) == INSTANCE Forms2 WITH u <- p, + <- -, - <- ++
            RECURSIVE R(_), Q(_, _)
            R(n) == IF n = 0 THEN 0 ELSE R(n - 1)
            Q(n, m) == R(n)
        IN  b(1, LAMBDA p : p * 2) + h[3] + (1 ++ 2) + R(3)
Squares == [f' = 1]_v /\ [g]_<<f, g>> /\ [f]_(f + 1) /\ [][g]_vars /\ [f]_J!vars /\ [f]_Op(v)
Angles == <<f' = 1>>_v /\ <<g>>_<<f, g>> /\ <<f>>_[a |-> f] /\ <><<g>>_{f} /\ <<f>>_J(1)!vars
Fairness == WF_v(f) /\ SF_<<f, g>>(g) /\ WF_vars (f /\ g) /\ WF_(v)(f) /\ SF_J!vars(f) /\ WF_Op(v)(g) /\ WF_J(1)!v(f)
Labels == lab :: f /\ \A x \in S : lab2(x) :: \E y \in T : l3(x, y) :: x = y
InChain == f = 1 /\ two:: g = 2
Selected == Labels!lab!2!lab2(3)!l3(3, 4)!1 /\ Quantifiers!(1, 2, <<3, 4>>)!:!(5)!1 /\ Lets!:!h!@!1 /\ Cases!1!2!<< /\ J(1)!Forms!>>
Infixes == J!+(1, 2) + J(3)!\o(<<>>, <<>>) + J!-.(1)
Unusual == _low + _2b + 3d + W_ + WFx + SF1 + TRUEx
Comments == 1 (* one *) + (* two (* three *) *) 2 \* the rest "
 (**)

Bare == TRUE /\ FALSE /\ "a" \in STRING /\ f \in BOOLEAN
==============================
What follows is no part of it: ==== ---- MODULE Nor ---- this.
