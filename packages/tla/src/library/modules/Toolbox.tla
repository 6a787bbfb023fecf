------------------------------ MODULE Toolbox -------------------------------
(* What a specification that explores a counterexample refers to. The trace is native: it is there only while *)
(* a counterexample is explored.                                                                              *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE TLC

_TETrace == CHOOSE trace \in [Nat \ {0} -> STRING] : TRUE

LOCAL TraceLength == Cardinality(DOMAIN _TETrace)

_TEPosition == IF TLCGet("level") >= TraceLength THEN TraceLength ELSE TLCGet("level") + 1
=============================================================================
