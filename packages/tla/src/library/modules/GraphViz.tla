------------------------------ MODULE GraphViz ------------------------------
(* Native (library/natives/graphs.ts). *)

\* The text that Graphviz draws the directed graph G from, with labels of nodes and edges.
DotDiGraph(G, VL(_), EL(_)) == CHOOSE text \in STRING : \A n \in G.node : VL(n) = VL(n) /\ \A e \in G.edge : EL(e) = EL(e)
=============================================================================
