----------------------------- MODULE Statistics -----------------------------
(* Native (library/natives/numbers-ext.ts). *)
EXTENDS Naturals

\* Whether frequencies are as expected: FALSE if Pearson's chi-square test refutes that at the level alpha (a string: "0.05").
ChiSquare(expected, actual, alpha) == DOMAIN expected = DOMAIN actual /\ alpha \in STRING
=============================================================================
