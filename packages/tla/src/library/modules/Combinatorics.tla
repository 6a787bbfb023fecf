--------------------------- MODULE Combinatorics ----------------------------
(* Factorials and binomial coefficients. *)
EXTENDS Naturals

factorial[n \in Nat] == IF n = 0 THEN 1 ELSE n * factorial[n - 1]

\* How many subsets of k elements a set of n has. Native (library/natives/numbers-ext.ts), so that it overflows only if
\* the result does.
choose(n, k) == factorial[n] \div (factorial[k] * factorial[n - k])
=============================================================================
