----------------------------- MODULE RealTime -------------------------------
(* Real-time bounds as of chapter 9 of "Specifying Systems": temporal formulas, which nobody evaluates. *)
EXTENDS Reals

VARIABLE now

\* An <<A>>_v step takes place only once it was enabled for D, and before it was enabled for longer than E.
RTBound(A, v, D, E) ==
  LET Advance(t) == t' = IF <<A>>_v \/ ~(ENABLED <<A>>_v)' THEN 0 ELSE t + (now' - now)
      IsTimer(t) == (t = 0) /\ [][Advance(t)]_<<t, v, now>>
      AtMost(t) == [](t <= E)
      AtLeast(t) == [][A => t >= D]_v
  IN  \EE t : IsTimer(t) /\ AtMost(t) /\ AtLeast(t)

\* Time grows without bound, in steps that change nothing else.
RTnow(v) ==
  LET Tick == now' \in { r \in Real : r > now } /\ UNCHANGED v
  IN  /\ now \in Real
      /\ [][Tick]_now
      /\ \A r \in Real : WF_now(Tick /\ now' > r)
=============================================================================
