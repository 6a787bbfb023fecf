---------------------------- MODULE VectorClocks ----------------------------
(* Orders of log entries that respect their vector clocks. CausalOrder is native (library/natives/vector-clocks.ts). *)
EXTENDS Naturals, Sequences, Functions

\* A clock that knows nothing yet of some nodes has 0 for them.
LOCAL At(c, n) == IF n \in DOMAIN c THEN c[n] ELSE 0
LOCAL Nodes(c, d) == DOMAIN c \cup DOMAIN d

LOCAL HappenedBefore(c, d) ==
  (\A n \in Nodes(c, d) : At(c, n) <= At(d, n)) /\ (\E n \in Nodes(c, d) : At(c, n) < At(d, n))
LOCAL Concurrent(c, d) ==
  (\E n \in Nodes(c, d) : At(c, n) < At(d, n)) /\ (\E n \in Nodes(c, d) : At(c, n) > At(d, n))

IsCausalOrder(log, clock(_)) ==
  \A i \in 1..Len(log) : \A j \in 1..(i - 1) :
    HappenedBefore(clock(log[j]), clock(log[i])) \/ Concurrent(clock(log[j]), clock(log[i]))

\* The log in such an order: clock, node and domain give an entry's clock, its node, and a clock's nodes. No entries are
\* missing.
CausalOrder(log, clock(_), node(_), domain(_)) ==
  CHOOSE ordered \in { f \in [1..Len(log) -> Range(log)] : Range(f) = Range(log) } :
    IsCausalOrder(ordered, clock) /\ \A i \in DOMAIN log : node(log[i]) \in domain(clock(log[i]))
=============================================================================
