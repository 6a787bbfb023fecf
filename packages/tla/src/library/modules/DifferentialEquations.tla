----------------------- MODULE DifferentialEquations ------------------------
(* As of chapter 11 of "Specifying Systems": real analysis, which nobody evaluates. *)
LOCAL INSTANCE Reals
LOCAL INSTANCE Sequences

LOCAL Positive == { r \in Real : r > 0 }
LOCAL Between(a, b) == { r \in Real : a < r /\ r < b }
LOCAL Near(r, e) == Between(r - e, r + e)

LOCAL IsDerivative(g, f) ==
  /\ g \in [DOMAIN f -> Real]
  /\ \A r \in DOMAIN f : \A e \in Positive : \E d \in Positive :
       \A s \in Near(r, d) \ {r} : (f[s] - f[r]) / (s - r) \in Near(g[r], e)

LOCAL IsDerivativeOfOrder(n, g, f) ==
  LET is[k \in 0..n, h \in [DOMAIN f -> Real]] ==
        IF k = 0 THEN h = f
        ELSE \E next \in [DOMAIN f -> Real] : IsDerivative(h, next) /\ is[k - 1, next]
  IN  is[n, g]

\* The values at b of the solution of D = 0, and of its derivatives, which has the values InitVals at a.
Integrate(D, a, b, InitVals) ==
  LET n == Len(InitVals)
      solution ==
        CHOOSE g : \E e \in Positive :
          /\ g \in [0..n -> [Between(a - e, b + e) -> Real]]
          /\ \A i \in 1..n : IsDerivativeOfOrder(i, g[i], g[0]) /\ g[i - 1][a] = InitVals[i]
          /\ \A r \in Between(a - e, b + e) : D[<<r>> \o [i \in 1..(n + 1) |-> g[i - 1][r]]] = 0
  IN  [i \in 1..n |-> solution[i - 1][b]]
=============================================================================
