-------------------------------- MODULE Bagged --------------------------------
(***************************************************************************)
(* Bags hold things as often as they do.  Here: balls of two colours are   *)
(* taken out of an urn, two at a time; a red one comes back for two that   *)
(* are alike, else the blue one (the riddle of the coffee can, in          *)
(* D. Gries, "The Science of Programming", 1981, with other colours).      *)
(***************************************************************************)
EXTENDS Integers, Bags, FiniteSets

CONSTANTS Reds, Blues

VARIABLE urn

ASSUME LET bag == SetToBag({"a", "b"}) (+) SetToBag({"a"})
       IN  /\ bag["a"] = 2 /\ BagIn("b", bag) /\ ~BagIn("c", bag)
           /\ CopiesIn("a", bag) = 2 /\ CopiesIn("c", bag) = 0
           /\ BagToSet(bag) = {"a", "b"}
           /\ BagCardinality(bag) = 3
           /\ bag (-) SetToBag({"a", "b"}) = SetToBag({"a"})
           /\ SetToBag({"b"}) \sqsubseteq bag
           /\ EmptyBag = bag (-) bag
           /\ BagUnion({bag, SetToBag({"c"})}) = bag (+) SetToBag({"c"})
           /\ BagOfAll(LAMBDA ball : IF ball = "c" THEN 1 ELSE 2, bag)[2] = 3
           /\ Cardinality(SubBag(bag)) = 6

Of(colour, n) == IF n = 0 THEN EmptyBag ELSE [c \in {colour} |-> n]

Pair(c, d) == SetToBag({c}) (+) SetToBag({d})

Init == \E reds \in 0..Reds, blues \in 0..Blues :
          /\ reds + blues > 0
          /\ urn = Of("red", reds) (+) Of("blue", blues)

Take(c, d) ==
  /\ Pair(c, d) \sqsubseteq urn
  /\ urn' = (urn (-) Pair(c, d)) (+) SetToBag({IF c = d THEN "red" ELSE "blue"})

Next == \E c, d \in BagToSet(urn) : Take(c, d)

TypeOK == IsABag(urn) /\ BagCardinality(urn) \in 1..Reds + Blues

(* Blue ones go in pairs: the last ball tells whether their number was odd. *)
NeverBlue == BagCardinality(urn) = 1 => CopiesIn("blue", urn) = 0
===============================================================================
