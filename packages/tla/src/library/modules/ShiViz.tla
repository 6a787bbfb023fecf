------------------------------- MODULE ShiViz -------------------------------
(* What the space-time diagrams of ShiViz want to know of a counterexample: which process took the step to the current *)
(* state, told from the program counters pc, and its vector clock.                                                     *)
LOCAL INSTANCE Integers
LOCAL INSTANCE Json
LOCAL INSTANCE TLC
INSTANCE Toolbox

LOCAL Stepping ==
  LET host[i \in DOMAIN _TETrace] ==
        IF i = 1 THEN "--"
        ELSE LET before == _TETrace[i - 1].pc
                 after == _TETrace[i].pc
             IN  IF before = after THEN host[i - 1]
                 ELSE CHOOSE p \in DOMAIN before : before[p] # after[p]
  IN  TLCEval(host)

Host == Stepping[_TEPosition]

LOCAL Clocks ==
  LET clock[i \in DOMAIN _TETrace] ==
        [p \in DOMAIN _TETrace[i].pc |->
           (IF i = 1 THEN 0 ELSE clock[i - 1][p]) + (IF i # 1 /\ p = Stepping[i] THEN 1 ELSE 0)]
  IN  TLCEval(clock)

Clock == ToJsonObject(Clocks[_TEPosition])
=============================================================================
