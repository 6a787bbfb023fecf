------------------------------- MODULE Graphs -------------------------------
(* Directed graphs: records of a set of nodes and a set of edges, which are pairs of nodes. What concerns paths is native *)
(* (library/natives/graphs.ts), since the set of paths of a graph with a cycle is infinite.                               *)
EXTENDS Naturals, Sequences, FiniteSets, SequencesExt, Relation

IsDirectedGraph(G) ==
  G = [node |-> G.node, edge |-> G.edge] /\ G.edge \subseteq (G.node \X G.node)

DirectedSubgraph(G) ==
  { H \in [node : SUBSET G.node, edge : SUBSET (G.node \X G.node)] :
      IsDirectedGraph(H) /\ H.edge \subseteq G.edge }

Transpose(G) == [node |-> G.node, edge |-> { <<e[2], e[1]>> : e \in G.edge }]

IsUndirectedGraph(G) == IsDirectedGraph(G) /\ \A e \in G.edge : <<e[2], e[1]>> \in G.edge
UndirectedSubgraph(G) == { H \in DirectedSubgraph(G) : IsUndirectedGraph(H) }

Path(G) == { p \in Seq(G.node) : p # <<>> /\ \A i \in 1..(Len(p) - 1) : <<p[i], p[i + 1]>> \in G.edge }
SimplePath(G) == { p \in Path(G) : \A i, j \in 1..Len(p) : p[i] = p[j] => i = j }

AreConnectedIn(m, n, G) == \E p \in Path(G) : p[1] = m /\ p[Len(p)] = n
IsStronglyConnected(G) == \A m, n \in G.node : AreConnectedIn(m, n, G)

\* For each pair of nodes whether there is a path, the empty one included.
ConnectionsIn(G) ==
  LET edges == [m, n \in G.node |-> <<m, n>> \in G.edge] IN ReflexiveTransitiveClosure(edges, G.node)

IsTreeWithRoot(G, r) ==
  /\ IsDirectedGraph(G)
  /\ r \in G.node
  /\ \A e \in G.edge : e[1] # r /\ \A f \in G.edge : e[1] = f[1] => e = f
  /\ \A n \in G.node : AreConnectedIn(n, r, G)

GraphUnion(G, H) == [node |-> G.node \cup H.node, edge |-> G.edge \cup H.edge]

IsBipartiteWithPartitions(G, U, V) ==
  /\ U \cap V = {}
  /\ G.node \subseteq (U \cup V)
  /\ \A e \in G.edge : (e[1] \in U /\ e[2] \in V) \/ (e[2] \in U /\ e[1] \in V)

HasCycle(G) ==
  LET edges == [m, n \in G.node |-> <<m, n>> \in G.edge]
      closure == TransitiveClosure(edges, G.node)
  IN  \E n \in G.node : closure[n, n]

IsDag(G) == IsDirectedGraph(G) /\ ~HasCycle(G)

Successors(G, n) == { m \in G.node : <<n, m>> \in G.edge }
AllSuccessors(G, S) == UNION { Successors(G, n) : n \in S }
Predecessors(G, n) == { m \in G.node : <<m, n>> \in G.edge }
AllPredecessors(G, S) == UNION { Predecessors(G, n) : n \in S }

LOCAL Reaches(G) == TransitiveClosure([p \in G.node \X G.node |-> p \in G.edge], G.node)
Ancestors(G, n) == LET reaches == Reaches(G) IN { m \in G.node : reaches[m, n] }
Descendants(G, n) == LET reaches == Reaches(G) IN { m \in G.node : reaches[n, m] }

InDegree(G, n) == Cardinality(Predecessors(G, n))
OutDegree(G, n) == Cardinality(Successors(G, n))

Roots(G) == { n \in G.node : Predecessors(G, n) = {} }
Leaves(G) == { n \in G.node : Successors(G, n) = {} }

EmptyGraph == [node |-> {}, edge |-> {}]
Graphs(S) == [node : {S}, edge : SUBSET (S \X S)]
=============================================================================
