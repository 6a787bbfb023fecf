-------------------------------- MODULE Raft --------------------------------
(***************************************************************************)
(* Raft with crashes, snapshots and changes of the configuration, after    *)
(* D. Ongaro, "Consensus: Bridging Theory and Practice" (2014), in the     *)
(* details that the raft library of etcd 3.4 chooses (pre-vote and quorum  *)
(* checks off, reads confirmed by a quorum).  An entry is the term in which it was made, which          *)
(* distinguishes it from any other entry at its index.                     *)
(*                                                                         *)
(* There is no network: each action has the message that it handles or     *)
(* sends as its parameter, so an action leads to one state, and the log of *)
(* an implementation can be followed.  RaftNetwork.tla adds the messages   *)
(* in flight, to be explored.                                              *)
(*                                                                         *)
(* A server that receives a message takes UpdateTerm if the message has a  *)
(* later term, and then the handler of the message.  Handlers decide by    *)
(* themselves what to do, and what to answer: `reply` is the answer that   *)
(* was sent, or None.                                                      *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  Servers,
  Voters,    \* the first configuration
  Learners,
  None

VARIABLES
  up,        \* whether a server runs
  term,      \* its current term
  role,      \* what it is in that term
  votedFor,  \* its vote in that term
  lead,      \* the leader of that term, if it knows it
  log,       \* the entries after its snapshot
  snapshot,  \* index and term of the last entry that its snapshot covers, and the configuration there
  commit,    \* the last index that it knows to be committed
  config,    \* the configuration that it has applied
  votes,     \* as a candidate: who granted its vote,
  refusals,  \* and who refused it
  match,     \* as a leader: up to which index the log of each server agrees with its own
  reads      \* as a leader: the reads to confirm, in order: context, commit index when it began, who acknowledged it

standing == <<role, lead, votes, refusals, reads>>
history == <<log, snapshot, commit, config>>
variables == <<up, term, votedFor, match, standing, history>>

-----------------------------------------------------------------------------
Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a > b THEN a ELSE b

LastIndex(s) == snapshot[s].index + Len(log[s])
Has(s, index) == snapshot[s].index <= index /\ index <= LastIndex(s)
(* The term of an entry that is in the log, or the last in the snapshot. *)
TermAt(s, index) == IF index = snapshot[s].index THEN snapshot[s].term ELSE log[s][index - snapshot[s].index]
LastTerm(s) == TermAt(s, LastIndex(s))
Entries(s, from, to) == SubSeq(log[s], from - snapshot[s].index, to - snapshot[s].index)

(* While a joint configuration is left, its outgoing voters decide too. *)
Halves(c) == IF c.outgoing = {} THEN {c.voters} ELSE {c.voters, c.outgoing}
Members(c) == c.voters \cup c.outgoing \cup c.learners
IsQuorum(c, group) == \A half \in Halves(c) : 2 * Cardinality(half \cap group) > Cardinality(half)
IsLost(c, group) == \E half \in Halves(c) : 2 * Cardinality(half \ group) <= Cardinality(half)

Nothing == [s \in Servers |-> 0]
Initial == [voters |-> Voters, outgoing |-> {}, learners |-> Learners]

Init ==
  /\ up = [s \in Servers |-> FALSE]
  /\ term = Nothing
  /\ role = [s \in Servers |-> "follower"]
  /\ votedFor = [s \in Servers |-> None]
  /\ lead = [s \in Servers |-> None]
  /\ log = [s \in Servers |-> <<>>]
  /\ snapshot = [s \in Servers |-> [index |-> 0, term |-> 0, config |-> Initial]]
  /\ commit = Nothing
  /\ config = [s \in Servers |-> Initial]
  /\ votes = [s \in Servers |-> {}]
  /\ refusals = [s \in Servers |-> {}]
  /\ match = [s \in Servers |-> Nothing]
  /\ reads = [s \in Servers |-> <<>>]

Stand(s, newRole, leader, granted) ==
  /\ role' = [role EXCEPT ![s] = newRole]
  /\ lead' = [lead EXCEPT ![s] = leader]
  /\ votes' = [votes EXCEPT ![s] = granted]
  /\ refusals' = [refusals EXCEPT ![s] = {}]
  /\ reads' = [reads EXCEPT ![s] = <<>>]

Enter(s, t, vote) ==
  /\ term' = [term EXCEPT ![s] = t]
  /\ votedFor' = [votedFor EXCEPT ![s] = vote]
  /\ match' = [match EXCEPT ![s] = Nothing]

-----------------------------------------------------------------------------
(* Servers. *)

(* For the first time: it knows nothing. *)
AddProcess(s) ==
  /\ ~up[s] /\ term[s] = 0
  /\ up' = [up EXCEPT ![s] = TRUE]
  /\ UNCHANGED <<term, votedFor, match, standing, history>>

Crash(s) == up[s] /\ up' = [up EXCEPT ![s] = FALSE] /\ UNCHANGED <<term, votedFor, match, standing, history>>

(* Its term, its vote, its entries and its snapshot are on its disk; of    *)
(* what is committed, it may know less than before.                        *)
Restart(s, index) ==
  /\ ~up[s]
  /\ up' = [up EXCEPT ![s] = TRUE]
  /\ snapshot[s].index <= index /\ index <= commit[s]
  /\ commit' = [commit EXCEPT ![s] = index]
  /\ config' = [config EXCEPT ![s] = snapshot[s].config]
  /\ Enter(s, term[s], votedFor[s])
  /\ Stand(s, "follower", None, {})
  /\ UNCHANGED <<log, snapshot>>

(* The log is cut: the snapshot holds what its first entries led to. *)
UpdateSnapshotIndex(s, index) ==
  /\ up[s]
  /\ snapshot[s].index < index /\ index <= commit[s]
  /\ snapshot' = [snapshot EXCEPT ![s] = [index |-> index, term |-> TermAt(s, index), config |-> config[s]]]
  /\ log' = [log EXCEPT ![s] = Entries(s, index + 1, LastIndex(s))]
  /\ UNCHANGED <<up, term, votedFor, match, standing, commit, config>>

(* It applies the entry at an index, which changes the configuration. What *)
(* a leader knows of a server that is removed is forgotten.                *)
ChangeConfiguration(s, index, c) ==
  /\ up[s]
  /\ snapshot[s].index < index /\ index <= commit[s]
  /\ config' = [config EXCEPT ![s] = c]
  /\ match' = [match EXCEPT ![s] = [u \in Servers |-> IF u \in Members(config[s]) \cap Members(c) THEN @[u] ELSE 0]]
  /\ UNCHANGED <<up, term, votedFor, standing, log, snapshot, commit>>

(* Nothing that matters here has happened. *)
Unaffected(s) == up[s] /\ UNCHANGED variables

-----------------------------------------------------------------------------
(* Elections. *)

Responses == {"MsgVoteResp", "MsgAppResp", "MsgHeartbeatResp"}
(* Responses of servers that are not in the configuration are ignored, even their term. *)
Hears(s, m) == m.type \in Responses => m.from \in Members(config[s])
IsCurrent(s, m) == m.term = term[s] /\ Hears(s, m)

UpdateTerm(s, m) ==
  /\ up[s]
  /\ m.term > term[s]
  /\ IF Hears(s, m)
       THEN Enter(s, m.term, None) /\ Stand(s, "follower", None, {}) /\ UNCHANGED <<up, history>>
       ELSE UNCHANGED variables

CanStand(s) == s \in config[s].voters \cup config[s].outgoing

Timeout(s) ==
  /\ up[s]
  /\ role[s] # "leader" /\ CanStand(s)
  /\ Enter(s, term[s] + 1, s) /\ Stand(s, "candidate", None, {s})
  /\ UNCHANGED <<up, history>>

(* The leader hands over: a follower stands at once. *)
HandleTimeoutNow(s, m) ==
  /\ up[s]
  /\ m.term <= term[s]
  /\ IF m.term = term[s] /\ role[s] = "follower" /\ CanStand(s)
       THEN Enter(s, m.term + 1, s) /\ Stand(s, "candidate", None, {s}) /\ UNCHANGED <<up, history>>
       ELSE UNCHANGED variables

IsUpToDate(s, m) == m.logTerm > LastTerm(s) \/ (m.logTerm = LastTerm(s) /\ m.index >= LastIndex(s))
Grants(s, m) ==
  /\ votedFor[s] = m.from \/ (votedFor[s] = None /\ lead[s] = None)
  /\ IsUpToDate(s, m)

VoteReply(s, m) ==
  IF m.term < term[s]
    THEN None
    ELSE [type |-> "MsgVoteResp", from |-> s, to |-> m.from, term |-> m.term, reject |-> ~Grants(s, m)]

(* Whoever is asked answers, a learner too: it may not know yet that it is a voter. *)
HandleRequestVoteRequest(s, m, reply) ==
  /\ up[s]
  /\ m.term <= term[s]
  /\ reply = VoteReply(s, m)
  /\ IF m.term = term[s] /\ Grants(s, m)
       THEN votedFor' = [votedFor EXCEPT ![s] = m.from]
       ELSE UNCHANGED votedFor
  /\ UNCHANGED <<up, term, match, standing, history>>

(* The first answer of each server counts. A candidate that cannot win any more steps down. *)
HandleRequestVoteResponse(s, m) ==
  /\ up[s]
  /\ m.term <= term[s] \/ ~Hears(s, m)
  /\ IF IsCurrent(s, m) /\ role[s] = "candidate" /\ m.from \notin votes[s] \cup refusals[s]
       THEN IF m.reject /\ IsLost(config[s], refusals[s] \cup {m.from})
              THEN Stand(s, "follower", None, {})
              ELSE /\ votes' = [votes EXCEPT ![s] = IF m.reject THEN @ ELSE @ \cup {m.from}]
                   /\ refusals' = [refusals EXCEPT ![s] = IF m.reject THEN @ \cup {m.from} ELSE @]
                   /\ UNCHANGED <<role, lead, reads>>
       ELSE UNCHANGED standing
  /\ UNCHANGED <<up, term, votedFor, match, history>>

(* A new leader appends an empty entry, to be able to commit those before it. *)
ElectLeader(s) ==
  /\ up[s]
  /\ role[s] = "candidate" /\ IsQuorum(config[s], votes[s])
  /\ Stand(s, "leader", s, {})
  /\ log' = [log EXCEPT ![s] = Append(@, term[s])]
  /\ match' = [match EXCEPT ![s] = [Nothing EXCEPT ![s] = LastIndex(s) + 1]]
  /\ UNCHANGED <<up, term, votedFor, snapshot, commit, config>>

-----------------------------------------------------------------------------
(* Logs. *)

ClientRequest(s) ==
  /\ up[s]
  /\ role[s] = "leader"
  /\ log' = [log EXCEPT ![s] = Append(@, term[s])]
  /\ match' = [match EXCEPT ![s][s] = LastIndex(s) + 1]
  /\ UNCHANGED <<up, term, votedFor, standing, snapshot, commit, config>>

(* Whether a quorum has the entry, and it is of this term: an older one    *)
(* that a quorum has may still be replaced.                                *)
IsCommitted(s, index) ==
  /\ TermAt(s, index) = term[s]
  /\ IsQuorum(config[s], {u \in Servers : match[s][u] >= index})

(* A leader that has removed itself may be slow to see it. *)
AdvanceCommitIndex(s) ==
  /\ up[s]
  /\ role[s] = "leader"
  /\ LET committed == {index \in commit[s] + 1 .. LastIndex(s) : IsCommitted(s, index)}
     IN  \/ committed # {} /\ commit' = [commit EXCEPT ![s] = CHOOSE index \in committed : \A other \in committed : other <= index]
         \/ (committed = {} \/ ~CanStand(s)) /\ UNCHANGED commit
  /\ UNCHANGED <<up, term, votedFor, match, standing, log, snapshot, config>>

(* What a leader says is obeyed, unless its term has passed. *)
IsObeyed(s, m) == m.term = term[s] /\ role[s] # "leader"
Obey(s, m) == Stand(s, "follower", m.from, {}) /\ UNCHANGED <<up, term, votedFor, match>>

(* The entry before the new ones is known, and has the same term. *)
Fits(s, m) == Has(s, m.index) /\ TermAt(s, m.index) = m.logTerm

(* The index of the last entry that came. *)
LastOf(m) == m.index + Len(m.entries)

(* Entries that agree stay, and so do those after them: an old message     *)
(* must not take back what a later one has brought.                        *)
Merged(s, m) ==
  IF \A index \in m.index + 1 .. LastOf(m) : index <= LastIndex(s) /\ TermAt(s, index) = m.entries[index - m.index]
    THEN log[s]
    ELSE Entries(s, snapshot[s].index + 1, m.index) \o m.entries

Appended(s, m, index, hint) ==
  [type |-> "MsgAppResp", from |-> s, to |-> m.from, term |-> m.term, index |-> index, reject |-> hint # None, hint |-> hint]

AppendReply(s, m) ==
  IF ~IsObeyed(s, m) THEN None
  ELSE IF m.index < commit[s] THEN Appended(s, m, commit[s], None)
  ELSE IF Fits(s, m) THEN Appended(s, m, LastOf(m), None)
  ELSE Appended(s, m, m.index, LastIndex(s))

HandleAppendEntriesRequest(s, m, reply) ==
  /\ up[s]
  /\ m.term <= term[s]
  /\ reply = AppendReply(s, m)
  /\ IF IsObeyed(s, m)
       THEN /\ Obey(s, m)
            /\ IF m.index >= commit[s] /\ Fits(s, m)
                 THEN /\ log' = [log EXCEPT ![s] = Merged(s, m)]
                      /\ commit' = [commit EXCEPT ![s] = Max(@, Min(m.commit, LastOf(m)))]
                 ELSE UNCHANGED <<log, commit>>
            /\ UNCHANGED <<snapshot, config>>
       ELSE UNCHANGED variables

HandleAppendEntriesResponse(s, m) ==
  /\ up[s]
  /\ m.term <= term[s] \/ ~Hears(s, m)
  /\ IF IsCurrent(s, m) /\ role[s] = "leader" /\ ~m.reject
       THEN match' = [match EXCEPT ![s][m.from] = Max(@, m.index)]
       ELSE UNCHANGED match
  /\ UNCHANGED <<up, term, votedFor, standing, history>>

(* The context tells the leader for which read it is acknowledged. *)
HeartbeatReply(s, m) ==
  IF IsObeyed(s, m)
    THEN [type |-> "MsgHeartbeatResp", from |-> s, to |-> m.from, term |-> m.term, context |-> m.context]
    ELSE None

HandleHeartbeat(s, m, reply) ==
  /\ up[s]
  /\ m.term <= term[s]
  /\ reply = HeartbeatReply(s, m)
  /\ IF IsObeyed(s, m)
       THEN /\ m.commit <= LastIndex(s)
            /\ Obey(s, m)
            /\ commit' = [commit EXCEPT ![s] = Max(@, m.commit)]
            /\ UNCHANGED <<log, snapshot, config>>
       ELSE UNCHANGED variables

-----------------------------------------------------------------------------
(* Snapshots of a leader, for a server whose next entries it has no more. *)

(* The library of etcd 3.4 takes no snapshot in which it is only an outgoing voter. *)
IsTaken(s, m) == m.index > commit[s] /\ s \in m.config.voters \cup m.config.learners
(* Where its last entry is in the log, that is committed, and the log stays. *)
IsInstalled(s, m) == IsTaken(s, m) /\ ~Fits(s, m)
CommitAfter(s, m) == IF IsTaken(s, m) THEN m.index ELSE commit[s]
SnapshotReply(s, m) == IF IsObeyed(s, m) THEN Appended(s, m, CommitAfter(s, m), None) ELSE None

HandleSnapshot(s, m, reply) ==
  /\ up[s]
  /\ m.term <= term[s]
  /\ reply = SnapshotReply(s, m)
  /\ IF IsObeyed(s, m)
       THEN /\ Obey(s, m)
            /\ commit' = [commit EXCEPT ![s] = CommitAfter(s, m)]
            /\ IF IsInstalled(s, m)
                 THEN /\ log' = [log EXCEPT ![s] = <<>>]
                      /\ snapshot' = [snapshot EXCEPT ![s] = [index |-> m.index, term |-> m.logTerm, config |-> m.config]]
                      /\ config' = [config EXCEPT ![s] = m.config]
                 ELSE UNCHANGED <<log, snapshot, config>>
       ELSE UNCHANGED variables

-----------------------------------------------------------------------------
(* Reads. A leader answers one with the commit index at which it began,    *)
(* when a quorum has acknowledged heartbeats that were sent after that: no *)
(* later leader had committed anything by then.                            *)

IsPending(s, context) == \E i \in DOMAIN reads[s] : reads[s][i].context = context

(* A new leader does not know what is committed, until it has committed an entry of its term. *)
KnowsCommitted(s) == TermAt(s, commit[s]) = term[s]

Answered(context, index) == [context |-> context, index |-> index]

(* The place of the read that is acknowledged, and by whom it is then. *)
Place(s, m) == CHOOSE i \in DOMAIN reads[s] : reads[s][i].context = m.context
Acknowledging(s, m) == reads[s][Place(s, m)].acknowledged \cup {m.from}
IsAwaited(s, m) == IsCurrent(s, m) /\ role[s] = "leader" /\ IsPending(s, m.context)
IsConfirmed(s, m) == IsAwaited(s, m) /\ IsQuorum(config[s], Acknowledging(s, m))

(* With a read, those that began before it are confirmed. *)
Confirmed(s, m) ==
  IF IsConfirmed(s, m)
    THEN {Answered(reads[s][i].context, reads[s][i].index) : i \in 1 .. Place(s, m)}
    ELSE {}

HandleHeartbeatResponse(s, m, confirmed) ==
  /\ up[s]
  /\ m.term <= term[s] \/ ~Hears(s, m)
  /\ confirmed = Confirmed(s, m)
  /\ reads' = IF IsConfirmed(s, m) THEN [reads EXCEPT ![s] = SubSeq(@, Place(s, m) + 1, Len(@))]
              ELSE IF IsAwaited(s, m) THEN [reads EXCEPT ![s][Place(s, m)].acknowledged = @ \cup {m.from}]
              ELSE reads
  /\ UNCHANGED <<up, term, votedFor, match, role, lead, votes, refusals, history>>

(* The leader of one voter needs nobody else. *)
ConfirmAlone(s, confirmed) ==
  /\ up[s]
  /\ role[s] = "leader" /\ Cardinality(config[s].voters) = 1 /\ config[s].outgoing = {}
  /\ \A read \in confirmed : read.index = commit[s]
  /\ UNCHANGED variables

(* A follower that has asked its leader trusts the answer. *)
ReadReply(s, m) ==
  IF m.term = term[s] /\ role[s] = "follower" THEN {Answered(m.context, m.index)} ELSE {}

HandleReadIndexResponse(s, m, confirmed) ==
  /\ up[s]
  /\ m.term <= term[s]
  /\ confirmed = ReadReply(s, m)
  /\ UNCHANGED variables

-----------------------------------------------------------------------------
(* Messages that are not answers. Sending changes nothing, except that a   *)
(* read begins; the message has to be right.                               *)

IsOf(s, m, r) == up[s] /\ role[s] = r /\ m.from = s /\ m.to # s /\ m.term = term[s]

SendRequestVoteRequest(s, m) ==
  /\ IsOf(s, m, "candidate")
  /\ m.index = LastIndex(s) /\ m.logTerm = LastTerm(s)
  /\ UNCHANGED variables

SendAppendEntriesRequest(s, m) ==
  /\ IsOf(s, m, "leader")
  /\ Fits(s, m)
  /\ LastOf(m) <= LastIndex(s)
  /\ m.entries = Entries(s, m.index + 1, LastOf(m))
  /\ m.commit <= commit[s]
  /\ UNCHANGED variables

Begun(s, context) == [context |-> context, index |-> commit[s], acknowledged |-> {s}]

(* It must not say that entries are committed which the other may not have. The first with a context begins a read. *)
SendHeartbeat(s, m) ==
  /\ IsOf(s, m, "leader")
  /\ m.commit = Min(match[s][m.to], commit[s])
  /\ IF m.context = None \/ IsPending(s, m.context)
       THEN UNCHANGED reads
       ELSE KnowsCommitted(s) /\ reads' = [reads EXCEPT ![s] = Append(@, Begun(s, m.context))]
  /\ UNCHANGED <<up, term, votedFor, match, role, lead, votes, refusals, history>>

SendSnapshot(s, m) ==
  /\ IsOf(s, m, "leader")
  /\ [index |-> m.index, term |-> m.logTerm, config |-> m.config] = snapshot[s]
  /\ UNCHANGED variables

SendTimeoutNow(s, m) ==
  /\ IsOf(s, m, "leader")
  /\ match[s][m.to] = LastIndex(s)
  /\ UNCHANGED variables

-----------------------------------------------------------------------------
(* Any message may arrive: nothing to explore, but what each server does   *)
(* by itself, in reply, and to send.                                       *)

Index == Nat
Term == Nat
Context == STRING \cup {None}
Configuration == [voters: SUBSET Servers, outgoing: SUBSET Servers, learners: SUBSET Servers]
Between(type) == [type: {type}, from: Servers, to: Servers, term: Term]
Message ==
       [type: {"MsgVote"}, from: Servers, to: Servers, term: Term, index: Index, logTerm: Term]
  \cup [type: {"MsgVoteResp"}, from: Servers, to: Servers, term: Term, reject: BOOLEAN]
  \cup [type: {"MsgApp"}, from: Servers, to: Servers, term: Term, index: Index, logTerm: Term, entries: Seq(Term), commit: Index]
  \cup [type: {"MsgAppResp"}, from: Servers, to: Servers, term: Term, index: Index, reject: BOOLEAN, hint: Index \cup {None}]
  \cup [type: {"MsgHeartbeat"}, from: Servers, to: Servers, term: Term, commit: Index, context: Context]
  \cup [type: {"MsgHeartbeatResp"}, from: Servers, to: Servers, term: Term, context: Context]
  \cup [type: {"MsgReadIndexResp"}, from: Servers, to: Servers, term: Term, index: Index, context: Context]
  \cup [type: {"MsgSnap"}, from: Servers, to: Servers, term: Term, index: Index, logTerm: Term, config: Configuration]
  \cup [type: {"MsgTimeoutNow"}, from: Servers, to: Servers, term: Term]

Internal(s) ==
  \/ AddProcess(s) \/ Crash(s)
  \/ Timeout(s) \/ ElectLeader(s)
  \/ ClientRequest(s) \/ AdvanceCommitIndex(s)
  \/ \E index \in snapshot[s].index .. commit[s] : Restart(s, index) \/ UpdateSnapshotIndex(s, index)

Reconfigure(s) ==
  \E index \in snapshot[s].index + 1 .. commit[s], c \in Configuration : ChangeConfiguration(s, index, c)

Receive(s, m, reply) ==
  \/ UpdateTerm(s, m)
  \/ m.type = "MsgVote" /\ HandleRequestVoteRequest(s, m, reply)
  \/ m.type = "MsgVoteResp" /\ HandleRequestVoteResponse(s, m)
  \/ m.type = "MsgApp" /\ HandleAppendEntriesRequest(s, m, reply)
  \/ m.type = "MsgAppResp" /\ HandleAppendEntriesResponse(s, m)
  \/ m.type = "MsgHeartbeat" /\ HandleHeartbeat(s, m, reply)
  \/ m.type = "MsgHeartbeatResp" /\ HandleHeartbeatResponse(s, m, Confirmed(s, m))
  \/ m.type = "MsgReadIndexResp" /\ HandleReadIndexResponse(s, m, ReadReply(s, m))
  \/ m.type = "MsgSnap" /\ HandleSnapshot(s, m, reply)
  \/ m.type = "MsgTimeoutNow" /\ HandleTimeoutNow(s, m)

Send(s, m) ==
  \/ m.type = "MsgVote" /\ SendRequestVoteRequest(s, m)
  \/ m.type = "MsgApp" /\ SendAppendEntriesRequest(s, m)
  \/ m.type = "MsgHeartbeat" /\ SendHeartbeat(s, m)
  \/ m.type = "MsgSnap" /\ SendSnapshot(s, m)
  \/ m.type = "MsgTimeoutNow" /\ SendTimeoutNow(s, m)

Next ==
  \E s \in Servers :
    \/ Internal(s) \/ Reconfigure(s) \/ ConfirmAlone(s, {}) \/ Unaffected(s)
    \/ \E m \in Message : Send(s, m) \/ \E reply \in Message \cup {None} : Receive(s, m, reply)

Spec == Init /\ [][Next]_variables

-----------------------------------------------------------------------------
(* What coverage counts: the servers that run, relative to the one that is *)
(* furthest behind, up to small bounds; and which of their logs conflict.  *)
(* Terms and indices alone are not behaviour: counted as they are, nearly  *)
(* every state of a long execution is new.                                 *)
Least(values) == IF values = {} THEN 0 ELSE CHOOSE v \in values : \A w \in values : v <= w
Shape ==
  LET Running == {s \in Servers : up[s]}
      leastTerm == Least({term[s] : s \in Running})
      leastLast == Least({LastTerm(s) : s \in Running})
      leastCommit == Least({commit[s] : s \in Running})
  IN [s \in Running |->
        << role[s], votedFor[s], Min(term[s] - leastTerm, 3), Min(commit[s] - leastCommit, 4),
           Min(Max(0, LastIndex(s) - leastCommit), 4), Min(LastTerm(s) - leastLast, 3), snapshot[s].index > 0 >>]

-----------------------------------------------------------------------------
(* No term has two leaders. *)
ElectionSafety ==
  \A s \in Servers : role[s] = "leader" =>
    \A u \in Servers : role[u] = "leader" /\ term[u] = term[s] => u = s

(* A leader keeps its entries. *)
LeaderAppendOnly ==
  [][\A s \in Servers :
       role[s] = "leader" /\ role'[s] = "leader" /\ term'[s] = term[s] =>
         /\ LastIndex(s)' >= LastIndex(s)
         /\ \A index \in snapshot'[s].index .. LastIndex(s) : TermAt(s, index)' = TermAt(s, index)]_variables

(* Where two servers have the same entry, they have the same entries before it. *)
First(s, u) == Max(snapshot[s].index, snapshot[u].index)
Last(s, u) == Min(LastIndex(s), LastIndex(u))
Agree(s, u, index) == TermAt(s, index) = TermAt(u, index)
LogMatching ==
  \A s \in Servers : \A u \in Servers \ {s} : \A index \in First(s, u) + 1 .. Last(s, u) :
    Agree(s, u, index) => Agree(s, u, index - 1)

(* A leader has the entries that were committed in earlier terms. *)
LeaderCompleteness ==
  \A s \in Servers : role[s] = "leader" =>
    \A u \in Servers \ {s} : term[u] <= term[s] =>
      /\ commit[u] <= LastIndex(s)
      /\ \A index \in First(s, u) .. commit[u] : Agree(s, u, index)

(* What two servers know to be committed is the same. *)
StateMachineSafety ==
  \A s \in Servers : \A u \in Servers \ {s} : \A index \in First(s, u) .. Min(commit[s], commit[u]) : Agree(s, u, index)
=============================================================================
