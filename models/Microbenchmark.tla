-------------------------- MODULE Microbenchmark --------------------------
(***************************************************************************)
(* The microbenchmark of "Model-guided Fuzzing of Distributed Systems",    *)
(* state for state the model in bench/microbenchmark/model.ts.             *)
(*                                                                         *)
(* Workers and a terminator announce themselves and are registered; then   *)
(* one request is accepted.  Worker 1 handles one Execute after another,   *)
(* and each causes the next one.  Meanwhile the terminator, once told to   *)
(* terminate, sends a Flush, which ends the sequence.                      *)
(*                                                                         *)
(* 3^(Workers+1) states are reachable before the request is accepted, as   *)
(* each worker and the terminator is silent, announced or registered, and  *)
(* 3*(Executes+2) states after it: 0 to Executes+1 are done while the      *)
(* terminator waits, has terminated, or is flushed.                        *)
(***************************************************************************)
EXTENDS Naturals

CONSTANTS
  Workers,    \* how many workers there are
  Executes    \* how many times worker 1 executes: the model lets it do so once more

ASSUME Workers \in Nat \ {0} /\ Executes \in Nat

VARIABLES
  workers,     \* how far each worker has come with its registration
  terminator,  \* and the terminator, which in the end is terminating
  accepted,    \* whether the request has been accepted
  executed,    \* the Executes that worker 1 has handled
  flushed      \* whether worker 1 has handled the Flush

variables == <<workers, terminator, accepted, executed, flushed>>

Registration == {"silent", "announced", "registered"}

TypeOK ==
  /\ workers \in [1..Workers -> Registration]
  /\ terminator \in Registration \cup {"terminating"}
  /\ executed \in 0..Executes + 1
  /\ {accepted, flushed} \subseteq BOOLEAN

Init ==
  /\ workers = [worker \in 1..Workers |-> "silent"]
  /\ terminator = "silent"
  /\ accepted = FALSE
  /\ executed = 0
  /\ flushed = FALSE

AnnounceWorker(worker) ==
  /\ workers[worker] = "silent"
  /\ workers' = [workers EXCEPT ![worker] = "announced"]
  /\ UNCHANGED <<terminator, accepted, executed, flushed>>

RegisterWorker(worker) ==
  /\ workers[worker] = "announced"
  /\ workers' = [workers EXCEPT ![worker] = "registered"]
  /\ UNCHANGED <<terminator, accepted, executed, flushed>>

AnnounceTerminator ==
  /\ terminator = "silent"
  /\ terminator' = "announced"
  /\ UNCHANGED <<workers, accepted, executed, flushed>>

RegisterTerminator ==
  /\ terminator = "announced"
  /\ terminator' = "registered"
  /\ UNCHANGED <<workers, accepted, executed, flushed>>

\* A request that comes before all are registered is dropped: it is no step.
Request ==
  /\ ~accepted
  /\ \A worker \in 1..Workers : workers[worker] = "registered"
  /\ terminator = "registered"
  /\ accepted' = TRUE
  /\ UNCHANGED <<workers, terminator, executed, flushed>>

Execute(request) ==
  /\ accepted
  /\ ~flushed
  /\ executed = request
  /\ request <= Executes
  /\ executed' = request + 1
  /\ UNCHANGED <<workers, terminator, accepted, flushed>>

Terminate ==
  /\ accepted
  /\ terminator = "registered"
  /\ terminator' = "terminating"
  /\ UNCHANGED <<workers, accepted, executed, flushed>>

Flush ==
  /\ terminator = "terminating"
  /\ ~flushed
  /\ flushed' = TRUE
  /\ UNCHANGED <<workers, terminator, accepted, executed>>

Next ==
  \/ \E worker \in 1..Workers : AnnounceWorker(worker) \/ RegisterWorker(worker)
  \/ AnnounceTerminator \/ RegisterTerminator
  \/ Request
  \/ \E request \in 0..Executes : Execute(request)
  \/ Terminate \/ Flush

Spec == Init /\ [][Next]_variables

-----------------------------------------------------------------------------
(* The bug that was seeded shows where the Flush comes right before the    *)
(* last Execute.  That it never does is wrong, and so has a counterexample.*)
NeverFlushedLate == flushed => executed # Executes - 1
=============================================================================
