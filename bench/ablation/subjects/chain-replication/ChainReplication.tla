-------------------------- MODULE ChainReplication --------------------------
(* What the master and the servers of a chain do with each message that    *)
(* they receive; the messages are parameters, and what they send is left   *)
(* open. After van Renesse and Schneider, "Chain Replication for           *)
(* Supporting High Throughput and Availability" (2004), with durable logs. *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLES
  master,   \* the configuration of the chain, and who does not answer
  server    \* the state of each server

Servers == <<"a", "b", "c">>
Names == {Servers[i] : i \in DOMAIN Servers}
Patience == 2  \* pings without an answer before the master takes a server out

Max(S) == CHOOSE x \in S : \A y \in S : y <= x
Min(S) == CHOOSE x \in S : \A y \in S : x <= y
Elements(s) == {s[i] : i \in DOMAIN s}
Without(s, n) == SelectSeq(s, LAMBDA x : x # n)

Init ==
  /\ master = [up |-> TRUE, epoch |-> 0, chain |-> Servers, synced |-> Names, silent |-> [n \in Names |-> 0]]
  /\ server = [n \in Names |-> [up |-> TRUE, epoch |-> 0, chain |-> Servers, ready |-> TRUE,
                                log |-> <<>>, commit |-> 0]]

Becomes(n, s) == [server EXCEPT ![n] = s]

-----------------------------------------------------------------------------
(* The master.                                                             *)

CanLose(n) == master.synced \ {n} # {}

Configured(m, chain) == [m EXCEPT !.epoch = @ + 1, !.chain = chain, !.synced = @ \cap Elements(chain)]

Ping ==
  LET m == [master EXCEPT !.silent = [n \in Names |-> @[n] + IF n \in Elements(master.chain) THEN 1 ELSE 0]]
      suspects == SelectSeq(m.chain, LAMBDA n : m.silent[n] > Patience /\ CanLose(n))
  IN
  /\ master.up
  /\ master' = IF suspects = <<>> THEN m ELSE Configured(m, Without(m.chain, Head(suspects)))
  /\ UNCHANGED server

Pong(n) ==
  /\ master.up
  /\ master' = [master EXCEPT !.silent[n] = 0]
  /\ UNCHANGED server

Synced(n, m) ==
  /\ master.up
  /\ master' = IF m.epoch = master.epoch /\ n \in Elements(master.chain) THEN [master EXCEPT !.synced = @ \cup {n}]
               ELSE master
  /\ UNCHANGED server

(* A server that has restarted, or was taken out, becomes the last one.    *)
Join(n, m) ==
  LET isMember == n \in Elements(master.chain)
      heard == [master EXCEPT !.silent[n] = 0]
  IN
  /\ master.up
  /\ master' = IF m.epoch < master.epoch /\ isMember /\ n \notin master.synced THEN master
               ELSE IF isMember /\ ~ CanLose(n) THEN Configured(heard, master.chain)
               ELSE Configured([heard EXCEPT !.synced = @ \ {n}], Append(Without(master.chain, n), n))
  /\ UNCHANGED server

-----------------------------------------------------------------------------
(* A server.                                                               *)

(* The neighbours of n in its chain; "none" at the ends.                   *)
Neighbour(n, s, distance) ==
  IF ~ \E i \in DOMAIN s.chain : s.chain[i] = n THEN "none"
  ELSE LET at == (CHOOSE i \in DOMAIN s.chain : s.chain[i] = n) + distance
       IN  IF at \in DOMAIN s.chain THEN s.chain[at] ELSE "none"

IsTail(n, s) == Neighbour(n, s, 1) = "none"

CommitTo(s, commit) == [s EXCEPT !.commit = Max({@, commit})]

(* A tail commits all that it has.                                         *)
Settle(n, s) == IF IsTail(n, s) THEN CommitTo(s, Len(s.log)) ELSE s

Request(n, request) ==
  LET s == server[n] IN
  /\ s.up
  /\ server' = IF s.chain # <<>> /\ s.chain[1] = n /\ request \notin Elements(s.log)
               THEN Becomes(n, Settle(n, [s EXCEPT !.log = Append(@, request)]))
               ELSE server
  /\ UNCHANGED master

Forward(n, from, m) ==
  LET s == server[n] IN
  /\ s.up
  /\ server' = IF m.epoch = s.epoch /\ s.ready /\ from = Neighbour(n, s, -1) /\ m.op = Len(s.log) + 1
               THEN Becomes(n, Settle(n, [s EXCEPT !.log = Append(@, m.request)]))
               ELSE server
  /\ UNCHANGED master

Sync(n, from, m) ==
  LET s == server[n] IN
  /\ s.up
  /\ server' = IF /\ m.epoch = s.epoch /\ from = Neighbour(n, s, -1)
                  /\ ~ s.ready \/ Len(m.log) >= Len(s.log)
               THEN Becomes(n, Settle(n, CommitTo([s EXCEPT !.log = m.log, !.ready = TRUE], m.commit)))
               ELSE server
  /\ UNCHANGED master

Acknowledge(n, from, m) ==
  LET s == server[n] IN
  /\ s.up
  /\ server' = IF m.epoch = s.epoch /\ s.ready /\ from = Neighbour(n, s, 1)
               THEN Becomes(n, CommitTo(s, m.commit))
               ELSE server
  /\ UNCHANGED master

Configure(n, m) ==
  LET s == server[n]
      isMember == n \in Elements(m.chain)
      t == [s EXCEPT !.epoch = m.epoch, !.chain = IF isMember THEN m.chain ELSE <<>>, !.ready = m.chain[1] = n]
  IN
  /\ s.up
  /\ server' = IF m.epoch <= s.epoch THEN server ELSE Becomes(n, IF t.ready THEN Settle(n, t) ELSE t)
  /\ UNCHANGED master

-----------------------------------------------------------------------------
CrashMaster ==
  /\ master.up
  /\ master' = [master EXCEPT !.up = FALSE, !.silent = [n \in Names |-> 0]]
  /\ UNCHANGED server

RestartMaster ==
  /\ ~ master.up
  /\ master' = [master EXCEPT !.up = TRUE]
  /\ UNCHANGED server

Crash(n) ==
  /\ server[n].up
  /\ server' = Becomes(n, [server[n] EXCEPT !.up = FALSE, !.chain = <<>>, !.ready = FALSE])
  /\ UNCHANGED master

Restart(n) ==
  /\ ~ server[n].up
  /\ server' = Becomes(n, [server[n] EXCEPT !.up = TRUE])
  /\ UNCHANGED master

-----------------------------------------------------------------------------
(* What counts as an abstract state: the chain, how old the configuration  *)
(* of each server is, and its log beside the longest one.                  *)
AtMost(k, most) == Min({k, most})
Projection ==
  LET longest == Max({Len(server[n].log) : n \in Names})
      most == CHOOSE n \in Names : Len(server[n].log) = longest
  IN  <<master.up, master.chain, master.synced,
        [n \in Names |->
          LET s == server[n]
          IN  <<s.up, AtMost(master.epoch - s.epoch, 2), s.ready, AtMost(longest - Len(s.log), 3),
                AtMost(Len(s.log) - s.commit, 3), s.log = SubSeq(server[most].log, 1, Len(s.log))>>],
        AtMost(longest, 4)>>

CommittedLogsAgree ==
  \A n, o \in Names :
    LET both == Min({server[n].commit, server[o].commit})
    IN  /\ both <= Len(server[n].log) /\ both <= Len(server[o].log)
        /\ SubSeq(server[n].log, 1, both) = SubSeq(server[o].log, 1, both)
=============================================================================
