------------------------------ MODULE Symmetric ------------------------------
(***************************************************************************)
(* Guests take the seats of a table.  Which guest is which does not matter *)
(* (SYMMETRY), nor how often a seat was changed (VIEW): states that differ *)
(* in no more than that are explored once.                                 *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS Guests, Seats, Rounds, Empty

VARIABLES seated, changes

Init == seated = [seat \in Seats |-> Empty] /\ changes = 0

Sit(guest, seat) ==
  /\ seated[seat] = Empty
  /\ \A other \in Seats : seated[other] # guest
  /\ seated' = [seated EXCEPT ![seat] = guest]
  /\ UNCHANGED changes

Change(from, to) ==
  /\ seated[from] # Empty /\ seated[to] = Empty
  /\ changes < Rounds
  /\ seated' = [seated EXCEPT ![to] = seated[from], ![from] = Empty]
  /\ changes' = changes + 1

Next == \E from \in Seats :
          \/ \E guest \in Guests : Sit(guest, from)
          \/ \E to \in Seats : Change(from, to)

TypeOK == seated \in [Seats -> Guests \cup {Empty}] /\ changes \in 0..Rounds
Alone == \A a, b \in Seats : a # b /\ seated[a] # Empty => seated[a] # seated[b]

(* A guest at the head of the table, another one at its foot. *)
HeadAndFoot == {seated[1], seated[Cardinality(Seats)]} \subseteq Guests => changes < 2

GuestsAlike == Permutations(Guests)
WithoutChanges == seated
Restless == changes = Rounds
Few == changes < 2
==============================================================================
