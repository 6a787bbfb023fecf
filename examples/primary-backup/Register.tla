------------------------------ MODULE Register ------------------------------
(* A register: the primary finishes one write before it starts the next.     *)
EXTENDS Naturals

CONSTANTS Backups, Values

VARIABLES
  latest,     \* what the primary wrote last, a version and a value
  copy,       \* what each backup has stored
  acked,      \* the backups that have acknowledged the latest version
  committed   \* the version that clients have been told of

Empty == [version |-> 0, value |-> "none"]

Init ==
  /\ latest = Empty
  /\ copy = [b \in Backups |-> Empty]
  /\ acked = {}
  /\ committed = 0

Write(v) ==
  /\ committed = latest.version
  /\ latest' = [version |-> latest.version + 1, value |-> v]
  /\ acked' = {}
  /\ UNCHANGED <<copy, committed>>

Store(b, entry) ==
  /\ entry.version > copy[b].version
  /\ entry = latest
  /\ copy' = [copy EXCEPT ![b] = entry]
  /\ UNCHANGED <<latest, acked, committed>>

Acknowledge(b, n) ==
  /\ n = latest.version
  /\ copy[b].version = n
  /\ acked' = acked \union {b}
  /\ UNCHANGED <<latest, copy, committed>>

Commit(n) ==
  /\ n = latest.version
  /\ committed < n
  /\ acked = Backups
  /\ committed' = n
  /\ UNCHANGED <<latest, copy, acked>>

Next ==
  \/ \E v \in Values : Write(v)
  \/ \E b \in Backups : Store(b, latest) \/ Acknowledge(b, latest.version)
  \/ Commit(latest.version)

CommittedIsEverywhere == \A b \in Backups : copy[b].version >= committed
Bounded == latest.version <= 3
=============================================================================
