-------------------------------- MODULE TLC ---------------------------------
(* What a specification can ask of the one who evaluates it. All are native (library/natives/tlc.ts). *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSets

\* Printing: the value of val, or TRUE.
Print(out, val) == val
PrintT(out) == TRUE

\* TRUE if val is; else evaluation ends with out as message.
Assert(val, out) == IF val = TRUE THEN TRUE ELSE CHOOSE v : v = out

\* Seconds since 1970.
JavaTime == CHOOSE n : n \in Nat

\* Registers: numbers from 0 and strings "s:..." are free to use, other strings ask about the exploration.
TLCGet(i) == CHOOSE n : TRUE
TLCSet(i, v) == TRUE

\* The function with one argument, and the union of two functions, of which the first wins.
d :> e == [x \in {d} |-> e]
f @@ g == [x \in (DOMAIN f) \cup (DOMAIN g) |-> IF x \in DOMAIN f THEN f[x] ELSE g[x]]

\* The bijections of S.
Permutations(S) == { f \in [S -> S] : \A image \in S : \E x \in S : f[x] = image }

\* s, put in an order in which Op holds between what comes earlier and what comes later.
SortSeq(s, Op(_, _)) ==
  LET order == CHOOSE p \in Permutations(1..Len(s)) :
                 \A i, j \in 1..Len(s) : i < j => Op(s[p[i]], s[p[j]]) \/ s[p[i]] = s[p[j]]
  IN  [i \in 1..Len(s) |-> s[order[i]]]

RandomElement(s) == CHOOSE x \in s : TRUE

\* The set that contains every value.
Any == CHOOSE x : TRUE

\* The value as it is printed.
ToString(v) == (CHOOSE x \in [value : {v}, text : STRING] : TRUE).text

\* The value, its elements listed.
TLCEval(v) == v
=============================================================================
