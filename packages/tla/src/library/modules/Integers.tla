------------------------------ MODULE Integers ------------------------------
(* The integers: the natural numbers and their negatives. Natively evaluated, as Naturals is. *)
EXTENDS Naturals

LOCAL Native(operands) == CHOOSE result : result = operands

Int == Native(<<>>)

-. a == 0 - a
=============================================================================
