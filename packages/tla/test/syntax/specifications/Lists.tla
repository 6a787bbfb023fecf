---- MODULE Lists ----
EXTENDS Naturals
VARIABLES x, y

Flat == /\ x = 1
        /\ y = 2
        /\ TRUE
Deep == /\ \/ x = 1 /\ y = 2
           \/ /\ x = 2
              /\ y = 3
                 \/ y = 4
        /\ \/ FALSE
Next == \/ /\ x' = x + 1
           /\ UNCHANGED y
        \/ \E i \in 1 .. 3 : /\ y' = i
                             /\ UNCHANGED x
        \/ IF x = 1 THEN /\ x' = 2
                         /\ y' = 2
                    ELSE /\ x' = 3
                         /\ y' = (IF x = 2 THEN 1
                                           ELSE 2)
        \/ LET z == /\ TRUE
                    /\ FALSE
           IN  /\ z
               /\ x' = CASE x = 1 -> 1
                         [] x = 2 -> 2
                         [] OTHER -> 3
Implied == /\ x = 1
           /\ y = 1
             => /\ x = 1
                /\ y = 1
Outside == \/ x = 1
           \/ y = 1
        /\ x = 2
Prefixed == ~ /\ x = 1
              /\ y = 1
Inside == (/\ x = 1
           /\ y = 1) => x = {y, /\ TRUE
                                /\ FALSE}
Once == /\ x
Line == /\ x /\ y \* one item, which is a chain
        /\ x \land y
Tabbed ==
	/\ x = 1
        /\ y = 1 \/ y = 2
Later ==
  /\ x
     = 1
  /\ [ a |->
        1 ].a = 1
====
