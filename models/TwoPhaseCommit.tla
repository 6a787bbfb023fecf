-------------------------- MODULE TwoPhaseCommit --------------------------
(***************************************************************************)
(* A coordinator and a set of resources agree whether a transaction        *)
(* commits, after J. Gray, "Notes on Data Base Operating Systems" (1978).  *)
(*                                                                         *)
(* First phase: each resource prepares and says so, or refuses and aborts  *)
(* on its own.  Second phase: once all are ready, the coordinator tells    *)
(* them to commit; until then it may tell them to abort.  A ready resource *)
(* has promised to wait for the decision.  With MayGiveUp it breaks its    *)
(* promise, and with it Consistent.                                        *)
(*                                                                         *)
(* Messages are never removed from `messages`: a receiver may receive a    *)
(* message again, or never.  So messages are lost, delayed, duplicated.    *)
(***************************************************************************)
CONSTANTS
  Resources,   \* the set of resources
  MayGiveUp    \* whether a resource that is ready may abort all the same

ASSUME MayGiveUp \in BOOLEAN

VARIABLES
  resource,     \* the state of each resource
  coordinator,  \* what the coordinator has decided
  ready,        \* the resources that the coordinator knows to be ready
  messages      \* all messages that were ever sent

variables == <<resource, coordinator, ready, messages>>

Ready(r) == [kind |-> "ready", from |-> r]
Decision(outcome) == [kind |-> "decision", outcome |-> outcome]

Message == [kind: {"ready"}, from: Resources]
             \cup [kind: {"decision"}, outcome: {"committed", "aborted"}]

TypeOK ==
  /\ resource \in [Resources -> {"working", "ready", "committed", "aborted"}]
  /\ coordinator \in {"undecided", "committed", "aborted"}
  /\ ready \subseteq Resources
  /\ messages \subseteq Message

Init ==
  /\ resource = [r \in Resources |-> "working"]
  /\ coordinator = "undecided"
  /\ ready = {}
  /\ messages = {}

-----------------------------------------------------------------------------
(* The resources. *)

GetReady(r) ==
  /\ resource[r] = "working"
  /\ resource' = [resource EXCEPT ![r] = "ready"]
  /\ messages' = messages \cup {Ready(r)}
  /\ UNCHANGED <<coordinator, ready>>

Refuse(r) ==
  /\ \/ resource[r] = "working"
     \/ MayGiveUp /\ resource[r] = "ready"
  /\ resource' = [resource EXCEPT ![r] = "aborted"]
  /\ UNCHANGED <<coordinator, ready, messages>>

\* What has been decided is obeyed in whatever state the message finds us.
Obey(r, outcome) ==
  /\ Decision(outcome) \in messages
  /\ resource' = [resource EXCEPT ![r] = outcome]
  /\ UNCHANGED <<coordinator, ready, messages>>

(* The coordinator. *)

NoteReady(r) ==
  /\ coordinator = "undecided"
  /\ Ready(r) \in messages
  /\ ready' = ready \cup {r}
  /\ UNCHANGED <<resource, coordinator, messages>>

Decide(outcome) ==
  /\ coordinator = "undecided"
  /\ outcome = "committed" => ready = Resources
  /\ coordinator' = outcome
  /\ messages' = messages \cup {Decision(outcome)}
  /\ UNCHANGED <<resource, ready>>

Next ==
  \/ \E outcome \in {"committed", "aborted"} :
       \/ Decide(outcome)
       \/ \E r \in Resources : Obey(r, outcome)
  \/ \E r \in Resources : GetReady(r) \/ Refuse(r) \/ NoteReady(r)

Spec == Init /\ [][Next]_variables

-----------------------------------------------------------------------------
(* No two resources ever come to different ends. *)
Consistent ==
  \A r, s \in Resources : ~(resource[r] = "committed" /\ resource[s] = "aborted")

(* It implements the commit of a transaction, where nobody sends anything. *)
Transaction == INSTANCE Transaction WITH participants <- Resources, state <- resource
Implements == Transaction!Spec
=============================================================================
