----------------------- MODULE ViewstampedReplication -----------------------
(* What a replica does with each message that it receives; the messages    *)
(* are parameters, and what it sends is left open. After Liskov and        *)
(* Cowling, "Viewstamped Replication Revisited" (2012), with a durable     *)
(* view number.                                                            *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE replica  \* the state of each replica

Replicas == <<"a", "b", "c">>
Names == {Replicas[i] : i \in DOMAIN Replicas}
Failures == 1  \* replicas that may be lost at once
Primary(v) == Replicas[(v % Len(Replicas)) + 1]

Max(S) == CHOOSE x \in S : \A y \in S : y <= x
Min(S) == CHOOSE x \in S : \A y \in S : x <= y

(* A replica after a crash: only its view and the number of its recoveries *)
(* are durable.                                                            *)
Blank(v, nonce) ==
  [status |-> "down", view |-> v, normal |-> 0, log |-> <<>>, commit |-> 0, nonce |-> nonce,
   started |-> {}, changes |-> {}, acknowledged |-> [n \in Names |-> 0], responses |-> {}]

Init == replica = [n \in Names |-> [Blank(0, 0) EXCEPT !.status = "normal"]]

IsUp(n) == replica[n].status # "down"

Becomes(n, s) == [replica EXCEPT ![n] = s]

(* A recovering replica ignores what is not a response to its recovery.    *)
Handles(n, s) == Becomes(n, IF replica[n].status = "recovering" THEN replica[n] ELSE s)

LeadsIn(n, s) == s.status = "normal" /\ Primary(s.view) = n

-----------------------------------------------------------------------------
(* Operators from one state of a replica to the next.                      *)

Enter(s, v) == [s EXCEPT !.status = "normal", !.view = v, !.normal = v, !.acknowledged = [n \in Names |-> 0]]

Change(s, v) == [s EXCEPT !.status = "view-change", !.view = v, !.started = {}, !.changes = {}]

ChangeIfLater(s, v) == IF v > s.view THEN Change(s, v) ELSE s

CommitUpTo(s, op) == [s EXCEPT !.commit = Max({@, Min({op, Len(s.log)})})]

Follows(s, v, op) == s.status = "normal" /\ s.view = v /\ op <= Len(s.log)

(* With: what is known for `from`, in place of what was known before.      *)
With(set, from, item) == {x \in set : x.from # from} \cup {item}

Collect(n, s, from, m) ==
  IF m.view # s.view \/ s.status # "view-change" THEN s
  ELSE LET changes == With(s.changes, from, [from |-> from, normal |-> m.normal, log |-> m.log, commit |-> m.commit])
           best == CHOOSE c \in changes :
                     \A d \in changes : \/ d.normal < c.normal
                                        \/ d.normal = c.normal /\ Len(d.log) <= Len(c.log)
       IN  IF Cardinality(changes) <= Failures \/ ~ \E c \in changes : c.from = n
           THEN [s EXCEPT !.changes = changes]
           ELSE Enter([s EXCEPT !.changes = changes, !.log = best.log, !.commit = Max({c.commit : c \in changes})],
                      s.view)

-----------------------------------------------------------------------------
Request(n, request) ==
  LET s == replica[n] IN
  /\ IsUp(n)
  /\ replica' = Handles(n, IF LeadsIn(n, s) /\ ~ \E i \in DOMAIN s.log : s.log[i] = request
             THEN [s EXCEPT !.log = Append(@, request)]
             ELSE s)

Prepare(n, m) ==
  LET s == replica[n] IN
  /\ IsUp(n)
  /\ replica' = Handles(n, IF ~ Follows(s, m.view, m.op - 1) THEN s
             ELSE CommitUpTo(IF m.op = Len(s.log) + 1 THEN [s EXCEPT !.log = Append(@, m.request)] ELSE s, m.commit))

Heartbeat(n, m) ==
  /\ IsUp(n)
  /\ replica' = Handles(n, IF Follows(replica[n], m.view, m.op) THEN CommitUpTo(replica[n], m.commit) ELSE replica[n])

PrepareOk(n, from, m) ==
  LET s == replica[n]
      acknowledged == [s.acknowledged EXCEPT ![from] = m.op]
      Prepared(op) == Cardinality({o \in Names : acknowledged[o] >= op}) >= Failures
  IN
  /\ IsUp(n)
  /\ replica' = Handles(n, IF m.view # s.view \/ ~ LeadsIn(n, s) \/ m.op <= s.acknowledged[from] THEN s
             ELSE [s EXCEPT !.acknowledged = acknowledged,
                            !.commit = Max({@} \cup {op \in 1..m.op : Prepared(op)})])

GetState(n, m) ==
  /\ IsUp(n)
  /\ replica' = Handles(n, replica[n])

NewState(n, m) ==
  LET s == replica[n]
      isBehind == m.view > s.view \/ (m.view = s.view /\ s.status = "view-change")
      log == SubSeq(s.log, 1, m.op) \o m.log
  IN
  /\ IsUp(n)
  /\ replica' = Handles(n, IF isBehind THEN CommitUpTo(Enter([s EXCEPT !.log = log], m.view), m.commit)
             ELSE IF m.view < s.view \/ Len(log) <= Len(s.log) THEN s
             ELSE CommitUpTo([s EXCEPT !.log = log], m.commit))

Timeout(n) ==
  /\ replica[n].status \in {"normal", "view-change"}
  /\ ~ LeadsIn(n, replica[n])
  /\ replica' = Becomes(n, Change(replica[n], replica[n].view + 1))

StartViewChange(n, from, m) ==
  LET s == ChangeIfLater(replica[n], m.view)
      started == s.started \cup {from}
      t == [s EXCEPT !.started = started]
  IN
  /\ IsUp(n)
  /\ replica' = Handles(n, IF m.view # s.view \/ s.status # "view-change" THEN s
             ELSE IF from \notin s.started /\ Cardinality(started) = Failures /\ Primary(m.view) = n
             THEN Collect(n, t, n, [view |-> s.view, normal |-> s.normal, log |-> s.log, commit |-> s.commit])
             ELSE t)

DoViewChange(n, from, m) ==
  /\ IsUp(n)
  /\ replica' = Handles(n, Collect(n, ChangeIfLater(replica[n], m.view), from, m))

StartView(n, m) ==
  LET s == replica[n] IN
  /\ IsUp(n)
  /\ replica' = Handles(n, IF m.view < s.view \/ (m.view = s.view /\ s.status = "normal") THEN s
             ELSE CommitUpTo(Enter([s EXCEPT !.log = m.log], m.view), m.commit))

Recovery(n, m) ==
  /\ IsUp(n)
  /\ replica' = Handles(n, ChangeIfLater(replica[n], m.view))

RecoveryResponse(n, from, m) ==
  LET s == replica[n]
      responses == With(s.responses, from,
                        [from |-> from, view |-> m.view, primary |-> m.primary, log |-> m.log, commit |-> m.commit])
      latest == Max({r.view : r \in responses})
      primaries == {r \in responses : r.from = Primary(latest) /\ r.view = latest /\ r.primary}
  IN
  /\ IsUp(n)
  /\ replica' = Becomes(n, IF s.status # "recovering" \/ m.nonce # s.nonce THEN s
             ELSE IF Cardinality(responses) <= Failures \/ latest < s.view \/ primaries = {}
             THEN [s EXCEPT !.responses = responses]
             ELSE LET p == CHOOSE r \in primaries : TRUE
                  IN  Enter([s EXCEPT !.responses = responses, !.log = p.log, !.commit = p.commit], latest))

Crash(n) ==
  /\ IsUp(n)
  /\ replica' = Becomes(n, Blank(replica[n].view, replica[n].nonce))

Restart(n) ==
  /\ replica[n].status = "down"
  /\ replica' = Becomes(n, [replica[n] EXCEPT !.status = "recovering", !.nonce = @ + 1])

-----------------------------------------------------------------------------
(* What counts as an abstract state: views relative to the lowest, short   *)
(* logs, and how far each replica agrees with the one most advanced.       *)
Relative(k) == Min({k, 3})
Projection ==
  LET lowest == Min({replica[n].view : n \in Names})
      longest == CHOOSE l \in {replica[n].log : n \in Names} :
                   \A n \in Names : Len(replica[n].log) <= Len(l)
  IN  [n \in Names |->
        LET s == replica[n]
        IN  <<s.status, Relative(s.view - lowest), Relative(s.view - s.normal), Relative(Len(s.log)),
              Relative(s.commit), s.log = SubSeq(longest, 1, Len(s.log)), Cardinality(s.changes)>>]

CommittedLogsAgree ==
  \A n, o \in Names :
    LET both == Min({replica[n].commit, replica[o].commit, Len(replica[n].log), Len(replica[o].log)})
    IN  SubSeq(replica[n].log, 1, both) = SubSeq(replica[o].log, 1, both)
=============================================================================
