------------------------------ MODULE TLCExt --------------------------------
(* More of what a specification can ask of the one who evaluates it. Those whose right-hand side does not say all are *)
(* native (library/natives/tlc-ext.ts).                                                                               *)
LOCAL INSTANCE TLC
LOCAL INSTANCE Integers

\* a = b, and if not, both are printed.
AssertEq(a, b) ==
  IF a = b THEN TRUE
  ELSE PrintT("Assertion failed") /\ PrintT(a) /\ PrintT(b) /\ FALSE

\* Whether evaluation of exp fails. TLC compares its message with err; norn's messages are its own.
LOCAL Fails(err, Attempt(_)) == \E outcome \in {TRUE, FALSE} : outcome /\ err \in STRING /\ Attempt(outcome) = outcome
AssertError(err, exp) == Fails(err, LAMBDA unused : exp)

\* A register, or another value while it has none; and one that is changed by Op, with the value before.
TLCGetOrDefault(key, defaultVal) == CHOOSE n : TRUE
TLCGetAndSet(key, Op(_, _), val, defaultVal) ==
  LET before == TLCGetOrDefault(key, defaultVal)
  IN  CHOOSE v \in {before} : TLCSet(key, Op(before, val))

\* The states from an initial one to the current one.
Trace == CHOOSE states : TRUE

\* The counterexample once there is one: its states and the steps between them; and its states as a sequence.
CounterExample == CHOOSE found : TRUE
ToTrace(CE) == CHOOSE states : states = CE

\* The model value of this name.
TLCModelValue(str) == CHOOSE v : ToString(v) = str

\* For later, once it is known which successor is taken; norn explores all, so that it is never.
TLCDefer(expression) == TRUE

TLCNoOp(val) == val

\* Nobody is asked to pick a successor: all are taken.
PickSuccessor(exp) == IF exp THEN TRUE ELSE TRUE

TLCCache(expression, closure) == expression

\* A number that equal values share.
TLCFP(var) == CHOOSE i \in Int : var = var

\* The value of the definition of this name.
TLCEvalDefinition(definitionName) == CHOOSE v : v = definitionName
=============================================================================
