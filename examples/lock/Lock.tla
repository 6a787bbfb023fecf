-------------------------------- MODULE Lock --------------------------------
(* A lock that one client holds at a time; the others wait, in any order.  *)
CONSTANTS Clients, Nobody

VARIABLES
  holder,   \* who has the lock
  waiting   \* who has asked for it

Init ==
  /\ holder = Nobody
  /\ waiting = {}

Ask(c) ==
  /\ holder # c
  /\ c \notin waiting
  /\ waiting' = waiting \cup {c}
  /\ UNCHANGED holder

Grant(c) ==
  /\ c \in waiting
  /\ holder = Nobody
  /\ holder' = c
  /\ waiting' = waiting \ {c}

Release(c) ==
  /\ holder = c
  /\ holder' = Nobody
  /\ UNCHANGED waiting

Next == \E c \in Clients : Ask(c) \/ Grant(c) \/ Release(c)

TypeOK ==
  /\ holder \in Clients \cup {Nobody}
  /\ waiting \subseteq Clients \ {holder}
=============================================================================
