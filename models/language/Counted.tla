------------------------------- MODULE Counted -------------------------------
(* A module that takes its unit from a definition, for Overridden to replace. *)
EXTENDS Naturals
Unit == 5
Weighed == Unit * 2
==============================================================================
