-------------------------- MODULE UndirectedGraphs --------------------------
(* Undirected graphs: records of a set of nodes and a set of edges, which are sets of one or two nodes. What concerns *)
(* paths is native (library/natives/graphs.ts), since the set of paths of a graph with an edge is infinite.           *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE Folds
LOCAL INSTANCE Functions

IsUndirectedGraph(G) ==
  G = [node |-> G.node, edge |-> G.edge] /\ \A e \in G.edge : \E a, b \in G.node : e = {a, b}

IsLoopFreeUndirectedGraph(G) ==
  G = [node |-> G.node, edge |-> G.edge] /\ \A e \in G.edge : \E a, b \in G.node : a # b /\ e = {a, b}

UndirectedSubgraph(G) == { H \in [node : SUBSET G.node, edge : SUBSET G.edge] : IsUndirectedGraph(H) }

Path(G) == { p \in Seq(G.node) : p # <<>> /\ \A i \in 1..(Len(p) - 1) : {p[i], p[i + 1]} \in G.edge }
SimplePath(G) == { p \in Path(G) : \A i, j \in 1..Len(p) : p[i] = p[j] => i = j }

AreConnectedIn(m, n, G) == \E p \in Path(G) : p[1] = m /\ p[Len(p)] = n

ConnectedComponents(G) == { { n \in G.node : AreConnectedIn(m, n, G) } : m \in G.node }

IsStronglyConnected(G) == ConnectedComponents(G) = {G.node}

UndirectedGraphs(S) == [node : {S}, edge : SUBSET { {p[1], p[2]} : p \in S \X S }]
=============================================================================
