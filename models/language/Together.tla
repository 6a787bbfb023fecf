------------------------------- MODULE Together -------------------------------
(* A file may hold several modules, one after another: the first is the root. *)
EXTENDS Kitchen

VARIABLE cups

Init == cups = Shelf
Next == cups > 0 /\ cups' = Taken(cups)
Some == cups > 0
===============================================================================

-------------------------------- MODULE Kitchen --------------------------------
EXTENDS Naturals
Cupboard == INSTANCE Furniture WITH boards <- 3
Shelf == Cupboard!Places
Taken(n) == n - 1
================================================================================

------------------------------- MODULE Furniture -------------------------------
EXTENDS Naturals
CONSTANT boards
Places == boards * 2
================================================================================
