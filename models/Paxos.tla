------------------------------- MODULE Paxos -------------------------------
(***************************************************************************)
(* Acceptors choose one value, though messages are lost, delayed and       *)
(* duplicated, after L. Lamport, "The Part-Time Parliament" (1998).        *)
(*                                                                         *)
(* In each ballot, a proposer asks for promises.  An acceptor that         *)
(* promises takes part in no lower ballot any more, and reports what it    *)
(* accepted last.  With the promises of a quorum, a value can be proposed: *)
(* the one accepted in the highest reported ballot, or any.  The value is  *)
(* chosen once a quorum has accepted it.                                   *)
(*                                                                         *)
(* Any two quorums have to share an acceptor: the values chosen in two     *)
(* ballots are the same because that acceptor took part in both.           *)
(***************************************************************************)
EXTENDS Integers

CONSTANTS
  Acceptors,
  Quorums,   \* the sets of acceptors that are enough
  Values,    \* what may be proposed
  Ballots,   \* the numbers of the ballots, from 0
  None       \* no value

ASSUME Ballots \subseteq Nat
ASSUME Quorums \subseteq SUBSET Acceptors
ASSUME None \notin Values

VARIABLES
  promised,  \* the highest ballot that an acceptor has promised to take part in; -1 at first
  accepted,  \* the last vote of an acceptor: in which ballot, and for what
  messages   \* all messages that were ever sent

variables == <<promised, accepted, messages>>

Ballot == Ballots \cup {-1}
Vote == [ballot: Ballot, value: Values \cup {None}]

Message ==
       [kind: {"prepare"}, ballot: Ballots]
  \cup [kind: {"promise"}, ballot: Ballots, from: Acceptors, last: Vote]
  \cup [kind: {"propose"}, ballot: Ballots, value: Values]
  \cup [kind: {"accepted"}, ballot: Ballots, from: Acceptors, value: Values]

TypeOK ==
  /\ promised \in [Acceptors -> Ballot]
  /\ accepted \in [Acceptors -> Vote]
  /\ messages \subseteq Message
  /\ \A a \in Acceptors : accepted[a].ballot <= promised[a]

Init ==
  /\ promised = [a \in Acceptors |-> -1]
  /\ accepted = [a \in Acceptors |-> [ballot |-> -1, value |-> None]]
  /\ messages = {}

Send(message) == messages' = messages \cup {message}

-----------------------------------------------------------------------------
Prepare(ballot) ==
  /\ Send([kind |-> "prepare", ballot |-> ballot])
  /\ UNCHANGED <<promised, accepted>>

Promise(a, ballot) ==
  /\ [kind |-> "prepare", ballot |-> ballot] \in messages
  /\ ballot > promised[a]
  /\ promised' = [promised EXCEPT ![a] = ballot]
  /\ Send([kind |-> "promise", ballot |-> ballot, from |-> a, last |-> accepted[a]])
  /\ UNCHANGED accepted

(* What may be proposed after these promises: if any of them tells of a    *)
(* vote, the value of the highest ballot among them.                       *)
Free(promises) == \A m \in promises : m.last.value = None

Highest(promises) ==
  CHOOSE m \in promises : \A n \in promises : n.last.ballot <= m.last.ballot

Propose(ballot, value) ==
  /\ ~ \E m \in messages : m.kind = "propose" /\ m.ballot = ballot
  /\ \E quorum \in Quorums :
       LET promises == {m \in messages : /\ m.kind = "promise"
                                         /\ m.ballot = ballot
                                         /\ m.from \in quorum}
       IN  /\ {m.from : m \in promises} = quorum
           /\ Free(promises) \/ Highest(promises).last.value = value
  /\ Send([kind |-> "propose", ballot |-> ballot, value |-> value])
  /\ UNCHANGED <<promised, accepted>>

Accept(a, ballot) ==
  /\ ballot >= promised[a]
  /\ \E m \in messages :
       /\ m.kind = "propose" /\ m.ballot = ballot
       /\ accepted' = [accepted EXCEPT ![a] = [ballot |-> ballot, value |-> m.value]]
       /\ Send([kind |-> "accepted", ballot |-> ballot, from |-> a, value |-> m.value])
  /\ promised' = [promised EXCEPT ![a] = ballot]

Next ==
  \E ballot \in Ballots :
    \/ Prepare(ballot)
    \/ \E a \in Acceptors : Promise(a, ballot) \/ Accept(a, ballot)
    \/ \E value \in Values : Propose(ballot, value)

Spec == Init /\ [][Next]_variables

-----------------------------------------------------------------------------
Accepted(a, ballot, value) ==
  [kind |-> "accepted", ballot |-> ballot, from |-> a, value |-> value] \in messages

Chosen ==
  {value \in Values :
     \E ballot \in Ballots, quorum \in Quorums :
       \A a \in quorum : Accepted(a, ballot, value)}

(* The point of it all. *)
Agreement == \A v, w \in Chosen : v = w
=============================================================================
