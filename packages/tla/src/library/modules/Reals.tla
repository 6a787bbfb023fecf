------------------------------- MODULE Reals --------------------------------
(* The real numbers, as far as TLC has them: Real contains the integers and cannot be enumerated, so a *)
(* quotient cannot be computed.                                                                        *)
EXTENDS Integers

LOCAL Native(operands) == CHOOSE result : result = operands

Real == Native(<<>>)

a / b == CHOOSE quotient \in Real : quotient * b = a

Infinity == CHOOSE bound : bound \notin Real /\ \A r \in Real : bound > r
=============================================================================
