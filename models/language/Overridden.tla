------------------------------ MODULE Overridden ------------------------------
(***************************************************************************)
(* What a configuration can put in the place of what a specification says: *)
(* values for constants, definitions for definitions, in this module or in *)
(* another one; and how it holds an infinite model down.                   *)
(***************************************************************************)
EXTENDS Integers, Sequences, Counted

CONSTANTS Colours, Favourite, Weight(_), Merge(_, _)

VARIABLES list, total

ASSUME Favourite \in Colours

Longest == 100
Init == list = <<>> /\ total = 0

Add(colour) ==
  /\ Len(list) < Longest
  /\ list' = Append(list, colour)
  /\ total' = Merge(total, Weight(colour))

Count(n) == total' = n + Weighed /\ n = total /\ UNCHANGED list

Next == (\E colour \in Colours : Add(colour)) \/ (\E n \in Nat : Count(n))

Light(colour) == IF colour = Favourite THEN 2 ELSE 1
Plus(a, b) == a + b
Greater(a, b) == IF a > b THEN a ELSE b
Short == 2
SmallNat == 0..6
Half == 1

LowTotal == total <= 6
Grows == total' >= total
TypeOK == list \in Seq(Colours) /\ total \in 0..20
NeverThree == total # 3
===============================================================================
