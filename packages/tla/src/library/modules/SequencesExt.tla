---------------------------- MODULE SequencesExt ----------------------------
(* More operators on sequences. Those that walk over a whole sequence are native *)
(* (library/natives/sequences-ext.ts), several of them for strings too, as TLC's.  *)
EXTENDS Sequences, Naturals, FiniteSets, FiniteSetsExt, Folds, Functions, Bags, TLC

\* Sets and sequences.

ToSet(s) == { s[i] : i \in DOMAIN s }
ToBag(s) == [x \in ToSet(s) |-> Cardinality({ i \in DOMAIN s : s[i] = x })]

SetToSeq(S) == CHOOSE f \in [1..Cardinality(S) -> S] : IsInjective(f)
SetToSeqs(S) == { f \in [1..Cardinality(S) -> S] : IsInjective(f) }
SetToSortSeq(S, op(_, _)) == SortSeq(SetToSeq(S), op)
SetToAllKPermutations(S) == UNION { SetToSeqs(T) : T \in SUBSET S }

TupleOf(set, n) == [1..n -> set]
SeqOf(set, n) == UNION { [1..length -> set] : length \in 0..n }
BoundedSeq(S, n) == SeqOf(S, n)

\* Elements and places.

Contains(s, e) == \E i \in 1..Len(s) : s[i] = e

IsSorted(s, op(_, _)) == \A i, j \in 1..Len(s) : i < j => op(s[i], s[j])

Reverse(s) == [i \in 1..Len(s) |-> s[Len(s) - i + 1]]

Remove(s, e) == SelectSeq(s, LAMBDA x : x # e)
ReplaceAll(s, old, new) == [i \in 1..Len(s) |-> IF s[i] = old THEN new ELSE s[i]]

\* The first or last place whose element satisfies Test; 0 if there is none.
SelectInSeq(seq, Test(_)) ==
  LET places == { i \in 1..Len(seq) : Test(seq[i]) } IN IF places = {} THEN 0 ELSE Min(places)
SelectInSubSeq(seq, from, to, Test(_)) ==
  LET places == { i \in from..to : Test(seq[i]) } IN IF places = {} THEN 0 ELSE Min(places)
SelectLastInSeq(seq, Test(_)) ==
  LET places == { i \in 1..Len(seq) : Test(seq[i]) } IN IF places = {} THEN 0 ELSE Max(places)
SelectLastInSubSeq(seq, from, to, Test(_)) ==
  LET places == { i \in from..to : Test(seq[i]) } IN IF places = {} THEN 0 ELSE Max(places)

InsertAt(s, i, e) == SubSeq(s, 1, i - 1) \o <<e>> \o SubSeq(s, i, Len(s))
ReplaceAt(s, i, e) == [s EXCEPT ![i] = e]
RemoveAt(s, i) == SubSeq(s, 1, i - 1) \o SubSeq(s, i + 1, Len(s))

RemoveFirstMatch(s, Test(_)) ==
  LET place == SelectInSeq(s, Test) IN IF place = 0 THEN s ELSE RemoveAt(s, place)
RemoveFirst(s, e) == RemoveFirstMatch(s, LAMBDA x : x = e)

Cons(elt, seq) == <<elt>> \o seq
Snoc(elt, seq) == Append(seq, elt)
Front(s) == SubSeq(s, 1, Len(s) - 1)
Last(s) == s[Len(s)]

\* Parts at the beginning and at the end.

IsPrefix(s, t) == Len(s) <= Len(t) /\ SubSeq(s, 1, Len(s)) = SubSeq(t, 1, Len(s))
IsStrictPrefix(s, t) == IsPrefix(s, t) /\ s # t
IsSuffix(s, t) == IsPrefix(Reverse(s), Reverse(t))
IsStrictSuffix(s, t) == IsSuffix(s, t) /\ s # t

Prefixes(s) == { SubSeq(s, 1, length) : length \in 0..Len(s) }
Suffixes(s) == { SubSeq(s, from, Len(s)) : from \in 1..Len(s) } \cup {<<>>}

CommonPrefixes(S) ==
  { p \in UNION { Prefixes(s) : s \in S } : \A s \in S : IsPrefix(p, s) }
LongestCommonPrefix(S) ==
  CHOOSE p \in CommonPrefixes(S) : \A q \in CommonPrefixes(S) : Len(q) <= Len(p)

\* a modulo b among 1..b instead of 0..b-1, as places of sequences are.
SeqMod(a, b) == IF a % b = 0 THEN b ELSE a % b

\* Folds: FoldLeft is op(... op(op(base, s[1]), s[2]) ..., s[n]), FoldRight op(s[1], op(s[2], ... op(s[n], base))),
\* FoldSeq op(s[n], ... op(s[2], op(s[1], base))). The domain ones fold over places instead of elements.

FoldSeq(op(_, _), base, seq) == FoldFunction(op, base, seq)

FoldLeft(op(_, _), base, seq) ==
  LET fold[i \in 0..Len(seq)] == IF i = 0 THEN base ELSE op(fold[i - 1], seq[i])
  IN  fold[Len(seq)]
FoldRight(op(_, _), seq, base) ==
  LET fold[i \in 1..(Len(seq) + 1)] == IF i > Len(seq) THEN base ELSE op(seq[i], fold[i + 1])
  IN  fold[1]

FoldLeftDomain(op(_, _), base, seq) == FoldLeft(op, base, [i \in DOMAIN seq |-> i])
FoldRightDomain(op(_, _), seq, base) == FoldRight(op, [i \in DOMAIN seq |-> i], base)

\* Several sequences.

FlattenSeq(seqs) ==
  LET flat[i \in 1..Len(seqs)] == IF i = 1 THEN seqs[1] ELSE flat[i - 1] \o seqs[i]
  IN  IF Len(seqs) = 0 THEN seqs ELSE flat[Len(seqs)]

Zip(s, t) ==
  [i \in 1..(IF Len(s) <= Len(t) THEN Len(s) ELSE Len(t)) |-> <<s[i], t[i]>>]

\* << <<s[1]>>, <<t[1]>>, <<s[2]>>, <<t[2]>>, ... >> of two sequences of one length; << <<>>, <<>> >> of empty ones.
Interleave(s, t) ==
  CASE Len(s) = Len(t) /\ Len(s) > 0 ->
         [i \in 1..(2 * Len(s)) |-> IF i % 2 = 1 THEN <<s[(i + 1) \div 2]>> ELSE <<t[i \div 2]>>]
    [] Len(s) = Len(t) /\ Len(s) = 0 -> << <<>>, <<>> >>

\* Parts that are consecutive, and all that keep the order.
SubSeqs(s) == { SubSeq(s, i + 1, j) : i, j \in 0..Len(s) }
AllSubSeqs(s) ==
  { FoldLeftDomain(LAMBDA part, i : IF i \in D THEN Append(part, s[i]) ELSE part, <<>>, s) : D \in SUBSET DOMAIN s }

\* Where s begins in t. An error if it is no part of it.
IndexFirstSubSeq(s, t) ==
  CHOOSE i \in 1..(Len(t) + 1) :
    LET Begins(j) == j + Len(s) - 1 <= Len(t) /\ SubSeq(t, j, j + Len(s) - 1) = s
    IN  Begins(i) /\ \A j \in 1..(i - 1) : ~Begins(j)

\* In t, r instead of s: at a place, at the first place, at all places from the left that do not overlap.

ReplaceSubSeqAt(i, r, s, t) == SubSeq(t, 1, i - 1) \o r \o SubSeq(t, i + Len(s), Len(t))

ReplaceFirstSubSeq(r, s, t) ==
  IF s \in SubSeqs(t) THEN ReplaceSubSeqAt(IndexFirstSubSeq(s, t), r, s, t) ELSE t

RECURSIVE ReplaceAllSubSeqs(_, _, _)
ReplaceAllSubSeqs(r, s, t) ==
  IF s = t THEN r
  ELSE IF Len(s) = 0 THEN FlattenSeq([i \in 1..(2 * Len(t)) |-> IF i % 2 = 1 THEN r ELSE <<t[i \div 2]>>])
  ELSE IF s \notin SubSeqs(t) THEN t
  ELSE LET i == IndexFirstSubSeq(s, t)
       IN  SubSeq(t, 1, i - 1) \o r \o
             (IF i + Len(s) > Len(t) THEN SubSeq(t, 1, 0)
              ELSE ReplaceAllSubSeqs(r, s, SubSeq(t, i + Len(s), Len(t))))
=============================================================================
