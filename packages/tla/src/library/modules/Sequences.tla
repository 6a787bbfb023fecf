----------------------------- MODULE Sequences ------------------------------
(* Finite sequences: functions over 1..n. All are native (library/natives/sequences.ts); strings are *)
(* sequences to Len, Tail, SubSeq and \o, as for TLC.                                                *)
LOCAL INSTANCE Naturals

Seq(S) == UNION { [1..length -> S] : length \in Nat }

Len(s) == CHOOSE length \in Nat : DOMAIN s = 1..length

s \o t == [i \in 1..(Len(s) + Len(t)) |-> IF i <= Len(s) THEN s[i] ELSE t[i - Len(s)]]

Append(s, e) == s \o <<e>>

Head(s) == s[1]

Tail(s) == [i \in 1..(Len(s) - 1) |-> s[i + 1]]

SubSeq(s, m, n) == [i \in 1..(n - m + 1) |-> s[m + i - 1]]

SelectSeq(s, Test(_)) ==
  LET kept[i \in 0..Len(s)] ==
        IF i = 0 THEN <<>>
        ELSE IF Test(s[i]) THEN Append(kept[i - 1], s[i])
        ELSE kept[i - 1]
  IN  kept[Len(s)]
=============================================================================
