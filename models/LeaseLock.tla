----------------------------- MODULE LeaseLock -----------------------------
(***************************************************************************)
(* A lock with a time limit: a server lends it to a client for Term ticks  *)
(* of its own clock, and then to the next client.  A client cannot see the *)
(* server's clock.  Its own clock may be slower, so it stops Margin ticks  *)
(* early; and the grant may be delayed (after C. Gray and D. Cheriton,     *)
(* "Leases: an Efficient Fault-Tolerant Mechanism for Distributed File     *)
(* Cache Consistency", 1989).                                              *)
(*                                                                         *)
(* No two clients hold the lock at a time if no clock is ever more than    *)
(* Margin behind.  Otherwise only the storage can help: each lease has a   *)
(* token greater than those before it, and with Fenced the storage rejects *)
(* a write with a token smaller than the greatest that it has seen.        *)
(***************************************************************************)
EXTENDS Integers

CONSTANTS
  Clients,
  Term,     \* length of a lease, in ticks
  Drift,    \* how far behind the server's clock a client's may fall
  Margin,   \* how many ticks before the end of its lease a client stops
  Horizon,  \* the time at which behaviours end
  Fenced,   \* whether the storage looks at tokens
  Nobody

ASSUME {Term, Drift, Margin, Horizon} \subseteq Nat /\ Margin < Term
ASSUME Fenced \in BOOLEAN
ASSUME Nobody \notin Clients

Times == 0..Horizon

VARIABLES
  now,      \* the server's clock
  clock,    \* the clock of each client
  lease,    \* the last lease: who has it, until when, and its token
  granted,  \* what each client knows of a lease of its own: until when, and its token (0: none)
  written   \* the tokens with which the storage was written, the last one first, and the greatest

variables == <<now, clock, lease, granted, written>>

Ended(client) == clock[client] >= granted[client].until - Margin
Holds(client) == granted[client].token > 0 /\ ~Ended(client)

TypeOK ==
  /\ now \in Times
  /\ clock \in [Clients -> Times]
  /\ \A client \in Clients : clock[client] \in now - Drift .. now
  /\ lease \in [holder: Clients \cup {Nobody}, until: 0..Horizon + Term, token: 0..Horizon]
  /\ granted \in [Clients -> [until: 0..Horizon + Term, token: 0..Horizon]]
  /\ written \in [last: 0..Horizon, greatest: 0..Horizon]

Init ==
  /\ now = 0
  /\ clock = [client \in Clients |-> 0]
  /\ lease = [holder |-> Nobody, until |-> 0, token |-> 0]
  /\ granted = [client \in Clients |-> [until |-> 0, token |-> 0]]
  /\ written = [last |-> 0, greatest |-> 0]

-----------------------------------------------------------------------------
(* A tick of the server's clock takes along as many clients as it must,    *)
(* and any others.                                                         *)
Tick ==
  /\ now < Horizon
  /\ now' = now + 1
  /\ \E late \in SUBSET {client \in Clients : now - clock[client] < Drift} :
       clock' = [client \in Clients |-> clock[client] + IF client \in late THEN 0 ELSE 1]
  /\ UNCHANGED <<lease, granted, written>>

Lend(client) ==
  /\ lease.holder = Nobody \/ now >= lease.until
  /\ now < Horizon
  /\ lease' = [holder |-> client, until |-> now + Term, token |-> lease.token + 1]
  /\ UNCHANGED <<now, clock, granted, written>>

(* The grant comes: now, later, or when the lease is over. *)
Learn(client) ==
  /\ lease.holder = client
  /\ granted[client].token < lease.token
  /\ granted' = [granted EXCEPT ![client] = [until |-> lease.until, token |-> lease.token]]
  /\ UNCHANGED <<now, clock, lease, written>>

(* A client that holds the lock writes to the storage. *)
Write(client) ==
  /\ Holds(client)
  /\ LET token == granted[client].token
         greatest == IF token > written.greatest THEN token ELSE written.greatest
     IN  /\ Fenced => token >= written.greatest
         /\ written' = [last |-> token, greatest |-> greatest]
  /\ UNCHANGED <<now, clock, lease, granted>>

Next ==
  \/ Tick
  \/ \E client \in Clients : Lend(client) \/ Learn(client) \/ Write(client)

Spec == Init /\ [][Next]_variables

-----------------------------------------------------------------------------
(* No two clients hold the lock at a time. *)
MutualExclusion == \A c, d \in Clients : Holds(c) /\ Holds(d) => c = d

(* What was written under a later lease is not written over. *)
NothingLost == written.last = written.greatest
=============================================================================
