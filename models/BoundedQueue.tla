---------------------------- MODULE BoundedQueue ----------------------------
(***************************************************************************)
(* Threads share a queue of bounded length.  A producer that finds it full *)
(* waits, and so does a consumer that finds it empty.  A thread that puts  *)
(* in or takes out an item wakes waiting threads.                          *)
(*                                                                         *)
(* With one set of waiting threads for both kinds, waking one thread is    *)
(* not enough: a producer may wake a producer, which finds the queue full, *)
(* and in the end all wait (after the C2 wiki's "Extreme Programming       *)
(* Challenge Fourteen", set by T. Cargill).  Waking all threads is right,  *)
(* and so is one set for each kind.                                        *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  Producers,
  Consumers,
  Capacity,   \* how many items the queue holds
  Wakes       \* "one" of the waiting threads, "all" of them, or one of the "others", the other kind

ASSUME
  /\ Producers \cap Consumers = {}
  /\ Producers # {} /\ Consumers # {}
  /\ Capacity \in Nat \ {0}
  /\ Wakes \in {"one", "all", "others"}

VARIABLES
  queue,    \* the producer of each item, the oldest first
  waiting   \* the waiting threads

variables == <<queue, waiting>>

Threads == Producers \cup Consumers
Running == Threads \ waiting

TypeOK ==
  /\ queue \in Seq(Producers) /\ Len(queue) <= Capacity
  /\ waiting \subseteq Threads

Init == queue = <<>> /\ waiting = {}

-----------------------------------------------------------------------------
Wait(thread) == waiting' = waiting \cup {thread} /\ UNCHANGED queue

(* `asleep` are those among whom one is woken, if there is any. *)
WakeOne(asleep) ==
  IF asleep = {}
    THEN UNCHANGED waiting
    ELSE \E thread \in asleep : waiting' = waiting \ {thread}

Wake(others) ==
  CASE Wakes = "one" -> WakeOne(waiting)
    [] Wakes = "all" -> waiting' = {}
    [] Wakes = "others" -> WakeOne(waiting \cap others)

Put(producer) ==
  /\ producer \in Running
  /\ IF Len(queue) = Capacity
       THEN Wait(producer)
       ELSE queue' = Append(queue, producer) /\ Wake(Consumers)

Take(consumer) ==
  /\ consumer \in Running
  /\ IF queue = <<>>
       THEN Wait(consumer)
       ELSE queue' = Tail(queue) /\ Wake(Producers)

Next ==
  \/ \E producer \in Producers : Put(producer)
  \/ \E consumer \in Consumers : Take(consumer)

Spec == Init /\ [][Next]_variables

-----------------------------------------------------------------------------
(* Where all wait, nobody is left to wake them: TLC calls it a deadlock.   *)
NotAllWait == Running # {}
=============================================================================
