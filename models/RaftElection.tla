---------------------------- MODULE RaftElection ----------------------------
(***************************************************************************)
(* Servers elect a leader, which copies its log to the others, after       *)
(* D. Ongaro and J. Ousterhout, "In Search of an Understandable Consensus  *)
(* Algorithm" (2014).  Left out: snapshots, changes of membership, and the *)
(* content of entries: an entry is the term in which it was made, which    *)
(* distinguishes it from any other entry at its place.                     *)
(*                                                                         *)
(* Each action names its servers, its term and its index, so that the log  *)
(* of an implementation can be followed.                                   *)
(*                                                                         *)
(* Messages are never removed from `messages`: they may be lost, delayed   *)
(* and duplicated, and an answer without news may be left out.  A leader   *)
(* may send any part of its log at any time, where programs keep an index  *)
(* to send from next; so it needs no answers that refuse.                  *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  Servers,
  Terms,      \* the terms that there may be: 1..n
  MaxLength,  \* how many entries a log may have
  Majority,   \* how many servers are enough
  Durable,    \* whether a server that restarts still knows its term and its vote
  Nobody

ASSUME
  /\ Terms \subseteq Nat \ {0}
  /\ MaxLength \in Nat /\ Majority \in Nat
  /\ Durable \in BOOLEAN
  /\ Nobody \notin Servers

VARIABLES
  term,      \* the latest term that each server knows of; 0 at first
  role,      \* what it is in that term
  votedFor,  \* whom it has voted for in that term
  log,       \* its entries: the terms in which they were made
  commit,    \* how many of them it knows to be committed
  votes,     \* as a candidate: who has voted for it
  match,     \* as a leader: up to where the log of each server is known to agree with its own
  messages   \* all messages that were ever sent

persistent == <<term, votedFor, log>>
variables == <<persistent, role, commit, votes, match, messages>>

Indices == 0..MaxLength

(* The term of the entry at an index; 0 before the first. *)
TermAt(entries, index) == IF index = 0 THEN 0 ELSE entries[index]
LastTerm(entries) == TermAt(entries, Len(entries))
Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a > b THEN a ELSE b

-----------------------------------------------------------------------------
(* Messages. *)

RequestVote(candidate, t, entries) ==
  [kind |-> "request vote", from |-> candidate, term |-> t,
   lastIndex |-> Len(entries), lastTerm |-> LastTerm(entries)]

Vote(voter, candidate, t) == [kind |-> "vote", from |-> voter, to |-> candidate, term |-> t]

(* The entry after `previous`, or none: then it is a heartbeat, which also *)
(* tells how much is committed.                                            *)
AppendEntries(leader, t, entries, previous, upTo, committed) ==
  [kind |-> "append entries", from |-> leader, term |-> t,
   previous |-> previous, previousTerm |-> TermAt(entries, previous),
   entries |-> SubSeq(entries, previous + 1, upTo),
   commit |-> Min(committed, upTo)]

Appended(server, leader, t, index) ==
  [kind |-> "appended", from |-> server, to |-> leader, term |-> t, index |-> index]

Message ==
       [kind: {"request vote"}, from: Servers, term: Terms,
        lastIndex: Indices, lastTerm: Terms \cup {0}]
  \cup [kind: {"vote"}, from: Servers, to: Servers, term: Terms]
  \cup [kind: {"append entries"}, from: Servers, term: Terms,
        previous: Indices, previousTerm: Terms \cup {0},
        entries: Seq(Terms), commit: Indices]
  \cup [kind: {"appended"}, from: Servers, to: Servers, term: Terms, index: Indices]

TypeOK ==
  /\ term \in [Servers -> Terms \cup {0}]
  /\ role \in [Servers -> {"follower", "candidate", "leader"}]
  /\ votedFor \in [Servers -> Servers \cup {Nobody}]
  /\ log \in [Servers -> Seq(Terms)]
  /\ \A s \in Servers : Len(log[s]) <= MaxLength
  /\ commit \in [Servers -> Indices]
  /\ votes \in [Servers -> SUBSET Servers]
  /\ match \in [Servers -> [Servers -> Indices]]
  /\ messages \subseteq Message

Nothing == [s \in Servers |-> 0]

Init ==
  /\ term = Nothing
  /\ role = [s \in Servers |-> "follower"]
  /\ votedFor = [s \in Servers |-> Nobody]
  /\ log = [s \in Servers |-> <<>>]
  /\ commit = Nothing
  /\ votes = [s \in Servers |-> {}]
  /\ match = [s \in Servers |-> Nothing]
  /\ messages = {}

Send(message) == messages' = messages \cup {message}

-----------------------------------------------------------------------------
(* Terms and elections. *)

(* What a server is once it has heard of term t: in a term that is new to  *)
(* it, a follower that has not voted.                                      *)
VoteIn(s, t) == IF t > term[s] THEN Nobody ELSE votedFor[s]

Enter(s, t, newRole, vote) ==
  /\ term' = [term EXCEPT ![s] = t]
  /\ role' = [role EXCEPT ![s] = newRole]
  /\ votedFor' = [votedFor EXCEPT ![s] = vote]
  /\ IF newRole = "leader"
       THEN match' = [match EXCEPT ![s] = [Nothing EXCEPT ![s] = Len(log[s])]]
       ELSE match' = [match EXCEPT ![s] = Nothing]
  /\ votes' = [votes EXCEPT ![s] = IF newRole = "candidate" THEN {s} ELSE {}]

(* A server that hears of no leader stands in the next term. *)
Timeout(s, t) ==
  /\ role[s] # "leader"
  /\ t = term[s] + 1
  /\ Enter(s, t, "candidate", s)
  /\ Send(RequestVote(s, t, log[s]))
  /\ UNCHANGED <<log, commit>>

(* Somebody has told it of a later term. *)
LearnTerm(s, t) ==
  /\ t > term[s]
  /\ \E m \in messages : m.term = t
  /\ Enter(s, t, "follower", Nobody)
  /\ UNCHANGED <<log, commit, messages>>

(* The candidate's log has to be at least as far as the voter's own: what  *)
(* is committed is in the log of a majority, one of which has to vote.     *)
UpToDate(m, entries) ==
  \/ m.lastTerm > LastTerm(entries)
  \/ m.lastTerm = LastTerm(entries) /\ m.lastIndex >= Len(entries)

GrantVote(s, candidate, t) ==
  /\ s # candidate
  /\ t >= term[s]
  /\ VoteIn(s, t) \in {Nobody, candidate}
  /\ \E m \in messages :
       /\ m.kind = "request vote" /\ m.from = candidate /\ m.term = t
       /\ UpToDate(m, log[s])
  /\ Enter(s, t, "follower", candidate)
  /\ Send(Vote(s, candidate, t))
  /\ UNCHANGED <<log, commit>>

CountVote(s, voter, t) ==
  /\ role[s] = "candidate" /\ term[s] = t
  /\ Vote(voter, s, t) \in messages
  /\ votes' = [votes EXCEPT ![s] = @ \cup {voter}]
  /\ UNCHANGED <<persistent, role, commit, match, messages>>

BecomeLeader(s, t) ==
  /\ role[s] = "candidate" /\ term[s] = t
  /\ Cardinality(votes[s]) >= Majority
  /\ Enter(s, t, "leader", votedFor[s])
  /\ UNCHANGED <<log, commit, messages>>

-----------------------------------------------------------------------------
(* Logs. *)

ClientRequest(s, t) ==
  /\ role[s] = "leader" /\ term[s] = t
  /\ Len(log[s]) < MaxLength
  /\ log' = [log EXCEPT ![s] = Append(@, t)]
  /\ match' = [match EXCEPT ![s][s] = @ + 1]
  /\ UNCHANGED <<term, votedFor, role, commit, votes, messages>>

(* What stands after `previous`, up to the index `upTo`. *)
SendEntries(s, t, previous, upTo) ==
  /\ role[s] = "leader" /\ term[s] = t
  /\ previous <= upTo /\ upTo <= Len(log[s])
  /\ Send(AppendEntries(s, t, log[s], previous, upTo, commit[s]))
  /\ UNCHANGED <<persistent, role, commit, votes, match>>

(* Entries that agree stay where they are, and so does what follows them:  *)
(* an old message must not take back what a later one has brought.         *)
Merge(entries, m) ==
  LET end == m.previous + Len(m.entries)
      agrees == \A i \in m.previous + 1 .. Min(end, Len(entries)) :
                  entries[i] = m.entries[i - m.previous]
  IN  IF agrees /\ end <= Len(entries)
        THEN entries
        ELSE SubSeq(entries, 1, m.previous) \o m.entries

Fits(entries, m) ==
  /\ m.previous <= Len(entries)
  /\ TermAt(entries, m.previous) = m.previousTerm

IsAppend(m, leader, t, previous) ==
  /\ m.kind = "append entries" /\ m.from = leader
  /\ m.term = t /\ m.previous = previous

AcceptEntries(s, leader, t, previous) ==
  /\ s # leader
  /\ t >= term[s]
  /\ \E m \in messages :
       /\ IsAppend(m, leader, t, previous)
       /\ Fits(log[s], m)
       /\ LET end == previous + Len(m.entries)
          IN  /\ log' = [log EXCEPT ![s] = Merge(@, m)]
              /\ commit' = [commit EXCEPT ![s] = Max(@, Min(m.commit, end))]
              /\ Send(Appended(s, leader, t, end))
  /\ Enter(s, t, "follower", VoteIn(s, t))

(* What comes before is not in the log: only the term is noted. *)
RefuseEntries(s, leader, t, previous) ==
  /\ s # leader
  /\ t >= term[s]
  /\ \E m \in messages : IsAppend(m, leader, t, previous) /\ ~Fits(log[s], m)
  /\ Enter(s, t, "follower", VoteIn(s, t))
  /\ UNCHANGED <<log, commit, messages>>

CountAppended(s, follower, t, index) ==
  /\ role[s] = "leader" /\ term[s] = t
  /\ Appended(follower, s, t, index) \in messages
  /\ match' = [match EXCEPT ![s][follower] = Max(@, index)]
  /\ UNCHANGED <<persistent, role, commit, votes, messages>>

(* Only entries of its own term can be counted: an older one that is in    *)
(* the log of a majority may yet be replaced (figure 8 of the paper).      *)
Commit(s, t, index) ==
  /\ role[s] = "leader" /\ term[s] = t
  /\ commit[s] < index /\ index <= Len(log[s])
  /\ log[s][index] = t
  /\ Cardinality({u \in Servers : match[s][u] >= index}) >= Majority
  /\ commit' = [commit EXCEPT ![s] = index]
  /\ UNCHANGED <<persistent, role, votes, match, messages>>

(* All but what is on its disk is lost. *)
Restart(s) ==
  /\ Enter(s, IF Durable THEN term[s] ELSE 0, "follower", IF Durable THEN votedFor[s] ELSE Nobody)
  /\ commit' = [commit EXCEPT ![s] = 0]
  /\ UNCHANGED <<log, messages>>

-----------------------------------------------------------------------------
Next ==
  \E s \in Servers :
    \/ Restart(s)
    \/ \E t \in Terms :
         \/ Timeout(s, t) \/ LearnTerm(s, t)
         \/ BecomeLeader(s, t) \/ ClientRequest(s, t)
         \/ \E previous, upTo \in Indices : SendEntries(s, t, previous, upTo)
         \/ \E index \in Indices : Commit(s, t, index)
         \/ \E other \in Servers :
              \/ GrantVote(s, other, t) \/ CountVote(s, other, t)
              \/ \E index \in Indices :
                   \/ AcceptEntries(s, other, t, index)
                   \/ RefuseEntries(s, other, t, index)
                   \/ CountAppended(s, other, t, index)

Spec == Init /\ [][Next]_variables

-----------------------------------------------------------------------------
(* No term has two leaders. *)
ElectionSafety ==
  \A s, u \in Servers :
    role[s] = "leader" /\ role[u] = "leader" /\ term[s] = term[u] => s = u

(* Logs that agree at an index agree on all before it. *)
LogMatching ==
  \A s, u \in Servers :
    \A i \in 1..Min(Len(log[s]), Len(log[u])) :
      log[s][i] = log[u][i] => SubSeq(log[s], 1, i) = SubSeq(log[u], 1, i)

(* What two servers know to be committed is the same. *)
StateMachineSafety ==
  \A s, u \in Servers :
    LET known == Min(commit[s], commit[u])
    IN  SubSeq(log[s], 1, known) = SubSeq(log[u], 1, known)
=============================================================================
