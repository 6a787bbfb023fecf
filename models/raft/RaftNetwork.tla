----------------------------- MODULE RaftNetwork -----------------------------
(***************************************************************************)
(* Raft with the messages in flight, to be explored.  Messages may be      *)
(* lost, delayed and duplicated, and overtake each other.  Left out:       *)
(* changes of the configuration.                                           *)
(***************************************************************************)
EXTENDS Raft, TLC

CONSTANTS
  MaxTerm,
  MaxIndex,     \* how long a log may become, with what a snapshot covers
  MaxCrashes,   \* how many crashes there may be in all
  MaxMessages   \* how many messages may be in flight at once

VARIABLES
  messages,  \* those in flight
  crashes    \* how many there were

NetworkInit == Init /\ messages = {} /\ crashes = 0

Sent(from, to, type) == [type |-> type, from |-> from, to |-> to, term |-> term[from]]
Position(s, index) == [index |-> index, logTerm |-> TermAt(s, index)]
Join(one, other) == [field \in DOMAIN one \cup DOMAIN other |-> IF field \in DOMAIN one THEN one[field] ELSE other[field]]

VoteRequest(s, u) == Join(Sent(s, u, "MsgVote"), Position(s, LastIndex(s)))
(* At most one entry; a leader may send any part of its log at any time. *)
Appends(s, u) ==
  {Join(Sent(s, u, "MsgApp"),
        Join(Position(s, index), [entries |-> Entries(s, index + 1, last), commit |-> commit[s]])) :
     <<index, last>> \in {pair \in (snapshot[s].index .. LastIndex(s)) \X (snapshot[s].index .. LastIndex(s)) :
                            pair[2] \in {pair[1], pair[1] + 1}}}
Heartbeat(s, u) == Join(Sent(s, u, "MsgHeartbeat"), [commit |-> Min(match[s][u], commit[s])])
Snapshot(s, u) ==
  Join(Sent(s, u, "MsgSnap"), [index |-> snapshot[s].index, logTerm |-> snapshot[s].term, config |-> snapshot[s].config])

(* What a server may send to another. *)
Outgoing(s, u) ==
  CASE role[s] = "candidate" -> {VoteRequest(s, u)}
    [] role[s] = "leader" -> Appends(s, u) \cup {Heartbeat(s, u), Sent(s, u, "MsgTimeoutNow")}
                               \cup (IF snapshot[s].index = 0 THEN {} ELSE {Snapshot(s, u)})
    [] OTHER -> {}

Reply(s, m) ==
  CASE m.type = "MsgVote" -> VoteReply(s, m)
    [] m.type = "MsgApp" -> AppendReply(s, m)
    [] m.type = "MsgHeartbeat" -> HeartbeatReply(s, m)
    [] m.type = "MsgSnap" -> SnapshotReply(s, m)
    [] OTHER -> None

(* An answer is sent by the handler, once the term is that of the message, *)
(* which then is gone, or comes again.                                     *)
Arrive(m) ==
  LET isLater == m.term > term[m.to]
      reply == IF isLater THEN None ELSE Reply(m.to, m)
      answers == IF reply = None THEN {} ELSE {reply}
  IN  /\ Receive(m.to, m, reply)
      /\ \E left \in IF isLater THEN {messages} ELSE {messages, messages \ {m}} : messages' = left \cup answers
      /\ UNCHANGED crashes

Lose(m) == messages' = messages \ {m} /\ UNCHANGED <<variables, crashes>>

Emit(s, m) == Send(s, m) /\ messages' = messages \cup {m} /\ UNCHANGED crashes

Act(s) ==
  /\ Internal(s)
  /\ crashes' = IF up[s] /\ ~up'[s] THEN crashes + 1 ELSE crashes
  /\ UNCHANGED messages

NetworkNext ==
  \/ \E s \in Servers : Act(s)
  \/ \E m \in messages : Arrive(m) \/ Lose(m)
  \/ \E s, u \in Servers : s # u /\ \E m \in Outgoing(s, u) : Emit(s, m)

NetworkSpec == NetworkInit /\ [][NetworkNext]_<<variables, messages, crashes>>

(* Steps beyond these bounds are not taken. *)
Bounds ==
  /\ Cardinality(messages') <= MaxMessages
  /\ crashes' <= MaxCrashes
  /\ \A s \in Servers : term'[s] <= MaxTerm /\ LastIndex(s)' <= MaxIndex

Alike == Permutations(Servers)

-----------------------------------------------------------------------------
(* What configurations put in place of IsQuorum and of Restart, to break it. *)

IsAnybody(c, group) == group # {}

RestartWithoutVote(s, index) ==
  /\ ~up[s] /\ index = snapshot[s].index
  /\ up' = [up EXCEPT ![s] = TRUE]
  /\ commit' = [commit EXCEPT ![s] = index]
  /\ Enter(s, term[s], None)
  /\ Stand(s, "follower", None, {})
  /\ UNCHANGED <<log, snapshot, config>>
=============================================================================
