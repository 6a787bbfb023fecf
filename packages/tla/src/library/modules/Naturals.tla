------------------------------ MODULE Naturals ------------------------------
(* The natural numbers. Every operator is native (library/natives/numbers.ts): its right-hand side *)
(* here only says that the result depends on the operands, which is all that levels need.          *)

LOCAL Native(operands) == CHOOSE result : result = operands

Nat == Native(<<>>)

a + b == Native(<<a, b>>)
a - b == Native(<<a, b>>)
a * b == Native(<<a, b>>)
a ^ b == Native(<<a, b>>)

a < b == Native(<<a, b>>)
a > b == Native(<<a, b>>)
a \leq b == Native(<<a, b>>)
a \geq b == Native(<<a, b>>)

\* For b > 0: a = b * (a \div b) + (a % b) and 0 <= a % b < b.
a % b == Native(<<a, b>>)
a \div b == Native(<<a, b>>)

\* The integers from a to b, both included; empty if a > b.
a .. b == Native(<<a, b>>)
=============================================================================
