-------------------------- MODULE DyadicRationals ---------------------------
(* Fractions whose denominator is a power of two, in lowest terms: records of a numerator and a denominator. Add, Half and *)
(* IsDyadicRational are native (library/natives/rationals.ts).                                                           *)
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSetsExt
LOCAL INSTANCE TLC

LOCAL Fraction(numerator, denominator) == [num |-> numerator, den |-> denominator]

RECURSIVE Divisor(_, _)
LOCAL Divisor(a, b) == IF b = 0 THEN a ELSE Divisor(b, a % b)

LOCAL Reduce(p) ==
  LET common == Divisor(p.num, p.den)
  IN  IF common = 1 THEN p ELSE Fraction(p.num \div common, p.den \div common)

IsDyadicRational(r) == \E i \in 0..r.den : 2^i = r.den

Zero == Fraction(0, 1)
One == Fraction(1, 1)

Add(p, q) ==
  IF p = Zero THEN q
  ELSE LET common == Max({p.den, q.den})
       IN  Reduce(Fraction(p.num * (common \div p.den) + q.num * (common \div q.den), common))

Half(p) == Reduce(Fraction(p.num, p.den * 2))

PrettyPrint(p) ==
  IF p = Zero THEN "0" ELSE IF p = One THEN "1" ELSE ToString(p.num) \o "/" \o ToString(p.den)
=============================================================================
