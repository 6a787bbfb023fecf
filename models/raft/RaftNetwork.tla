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
  MaxMessages,  \* how many messages may be in flight at once
  Contexts      \* those of the reads, which clients ask of leaders

VARIABLES
  messages,  \* those in flight
  crashes,   \* how many there were
  known      \* by server and read: the greatest index that any server knew to be committed when it began

NetworkInit ==
  /\ Init
  /\ messages = {}
  /\ crashes = 0
  /\ known = [s \in Servers |-> [context \in Contexts |-> 0]]

Sent(from, to, type) == [type |-> type, from |-> from, to |-> to, term |-> term[from]]
Position(s, index) == [index |-> index, logTerm |-> TermAt(s, index)]
Join(one, other) == [field \in DOMAIN one \cup DOMAIN other |-> IF field \in DOMAIN one THEN one[field] ELSE other[field]]

VoteRequest(s, u) == Join(Sent(s, u, "MsgVote"), Position(s, LastIndex(s)))
Greatest(values) == CHOOSE v \in values : \A w \in values : v >= w
(* At most one entry; a leader may send any part of its log at any time. *)
Appends(s, u) ==
  {Join(Sent(s, u, "MsgApp"),
        Join(Position(s, index), [entries |-> Entries(s, index + 1, last), commit |-> commit[s]])) :
     <<index, last>> \in {pair \in (snapshot[s].index .. LastIndex(s)) \X (snapshot[s].index .. LastIndex(s)) :
                            pair[2] \in {pair[1], pair[1] + 1}}}
Heartbeats(s, u) ==
  {Join(Sent(s, u, "MsgHeartbeat"), [commit |-> Min(match[s][u], commit[s]), context |-> context]) :
     context \in Contexts \cup {None}}
Snapshot(s, u) ==
  Join(Sent(s, u, "MsgSnap"), [index |-> snapshot[s].index, logTerm |-> snapshot[s].term, config |-> snapshot[s].config])

(* What a server may send to another. *)
Outgoing(s, u) ==
  CASE role[s] = "candidate" -> {VoteRequest(s, u)}
    [] role[s] = "leader" -> Appends(s, u) \cup Heartbeats(s, u) \cup {Sent(s, u, "MsgTimeoutNow")}
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
      /\ UNCHANGED <<crashes, known>>

Lose(m) == messages' = messages \ {m} /\ UNCHANGED <<variables, crashes, known>>

Emit(s, m) ==
  /\ Send(s, m)
  /\ messages' = messages \cup {m}
  /\ known' = IF m.type # "MsgHeartbeat" \/ m.context = None \/ IsPending(s, m.context)
                THEN known
                ELSE [known EXCEPT ![s][m.context] = Greatest({commit[u] : u \in Servers})]
  /\ UNCHANGED crashes

Act(s) ==
  /\ Internal(s)
  /\ crashes' = IF up[s] /\ ~up'[s] THEN crashes + 1 ELSE crashes
  /\ UNCHANGED <<messages, known>>

NetworkNext ==
  \/ \E s \in Servers : Act(s)
  \/ \E m \in messages : Arrive(m) \/ Lose(m)
  \/ \E s, u \in Servers : s # u /\ \E m \in Outgoing(s, u) : Emit(s, m)

NetworkSpec == NetworkInit /\ [][NetworkNext]_<<variables, messages, crashes, known>>

(* Steps beyond these bounds are not taken. *)
Bounds ==
  /\ Cardinality(messages') <= MaxMessages
  /\ crashes' <= MaxCrashes
  /\ \A s \in Servers : term'[s] <= MaxTerm /\ LastIndex(s)' <= MaxIndex

Alike == Permutations(Servers)

(* An acknowledgement on its way confirms reads with no less than what anybody knew to be committed when they began. *)
ReadSafety ==
  \A m \in messages :
    m.type = "MsgHeartbeatResp" => \A read \in Confirmed(m.to, m) : read.index >= known[m.to][read.context]

-----------------------------------------------------------------------------
(* What configurations put in place of IsQuorum, KnowsCommitted and        *)
(* Restart, to break it.                                                   *)

IsAnybody(c, group) == group # {}

MayKnow(s) == TRUE

RestartWithoutVote(s, index) ==
  /\ ~up[s] /\ index = snapshot[s].index
  /\ up' = [up EXCEPT ![s] = TRUE]
  /\ commit' = [commit EXCEPT ![s] = index]
  /\ Enter(s, term[s], None)
  /\ Stand(s, "follower", None, {})
  /\ UNCHANGED <<log, snapshot, config>>
=============================================================================
