------------------------------ MODULE Bitwise -------------------------------
(* Bits of natural numbers. All are native (library/natives/bitwise.ts); the texts define them bit by bit. *)
LOCAL INSTANCE Integers

LOCAL Bit(x, n) == (x \div 2^n) % 2

RECURSIVE Combined(_, _, _, _)
LOCAL Combined(Op(_, _), x, y, n) ==
  IF x < 2^n /\ y < 2^n THEN 0
  ELSE 2^n * Op(Bit(x, n), Bit(y, n)) + Combined(Op, x, y, n + 1)

x & y == Combined(LAMBDA a, b : a * b, x, y, 0)
x | y == Combined(LAMBDA a, b : a + b - a * b, x, y, 0)
x ^^ y == Combined(LAMBDA a, b : (a + b) % 2, x, y, 0)

\* The bits that a has, inverted.
Not(a) == Combined(LAMBDA x, y : 1 - x, a, a, 0)

shiftR(n, pos) == n \div 2^pos
=============================================================================
