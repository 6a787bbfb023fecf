----------------------------- MODULE Account -----------------------------
(* The account of account.ts: a deposit reads the file, then writes it.  *)
EXTENDS Integers, FiniteSets

CONSTANT Clients

VARIABLES
  balance,   \* what stands in the file
  read       \* read[c]: what client c has read, -1 before and -2 after its deposit

Init ==
  /\ balance = 0
  /\ read = [c \in Clients |-> -1]

Read(c) ==
  /\ read[c] = -1
  /\ read' = [read EXCEPT ![c] = balance]
  /\ UNCHANGED balance

Write(c) ==
  /\ read[c] >= 0
  /\ balance' = read[c] + 1
  /\ read' = [read EXCEPT ![c] = -2]

Next == \E c \in Clients : Read(c) \/ Write(c)

NothingIsLost ==
  balance = Cardinality({c \in Clients : read[c] = -2})
==========================================================================
