------------------------------ MODULE Structures ------------------------------
(***************************************************************************)
(* Functions, records, tuples and sequences: all of them are functions,    *)
(* and so equal where their domains and values are.                        *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS Rows, Columns

VARIABLES board, player, history

(* One function, said in five ways. *)
ASSUME <<4, 5>> = [i \in 1..2 |-> i + 3]
ASSUME (1 :> 4 @@ 2 :> 5) = <<4, 5>>
ASSUME [a |-> 4, b |-> 5] = [name \in {"a", "b"} |-> IF name = "a" THEN 4 ELSE 5]
ASSUME <<>> = [x \in {} |-> x]
ASSUME Append(<<4>>, 5) = <<4>> \o <<5>>

(* Functions of several arguments are functions of tuples. *)
ASSUME LET sum == [x, y \in 1..3 |-> x + y]
       IN  /\ sum[2, 3] = 5 /\ sum[<<2, 3>>] = 5
           /\ DOMAIN sum = (1..3) \X (1..3)
ASSUME LET mixed == [x \in 1..2, <<y, z>> \in {<<3, 4>>, <<5, 6>>} |-> <<x, y, z>>]
       IN  mixed[2, <<5, 6>>] = <<2, 5, 6>>

(* EXCEPT: several places, deep ones, tuples as arguments, and what was there before. *)
Base == [grid |-> [x, y \in 1..2 |-> 0], row |-> <<1, 2, 3>>, name |-> "n"]
ASSUME [Base EXCEPT !.row[2] = @ + 10, !.row[2] = @ + 10].row = <<1, 22, 3>>
ASSUME [Base EXCEPT !.grid[1, 2] = 7].grid[1, 2] = 7
ASSUME [Base EXCEPT !.grid[<<1, 2>>] = 7] = [Base EXCEPT !["grid"][1, 2] = 7]
ASSUME [Base EXCEPT !.name = @ \o "orn", !.row = Tail(@)] = [Base EXCEPT !.name = "norn", !.row = <<2, 3>>]

(* Sets of functions and of records, and what is in them. *)
ASSUME Cardinality([1..3 -> {"a", "b"}]) = 8
ASSUME [x: 1..2, y: {"a"}] = {[x |-> 1, y |-> "a"], [y |-> "a", x |-> 2]}
ASSUME [{} -> {1}] = {<<>>} /\ [{1} -> {}] = {}
ASSUME <<1, "a", TRUE>> \in Nat \X STRING \X BOOLEAN
ASSUME <<1, <<2, 3>>>> \in Nat \X (Nat \X Nat) /\ (1..2) \X {3} = {<<1, 3>>, <<2, 3>>}
ASSUME <<3, 1>> \in Seq(Nat) /\ <<>> \in Seq({}) /\ [a |-> <<>>] \in [a: Seq(BOOLEAN)]
ASSUME {<<x, y>> \in (1..3) \X (1..3) : x < y} = {<<1, 2>>, <<1, 3>>, <<2, 3>>}
ASSUME {x + y : x \in 1..2, <<y, z>> \in {<<10, 0>>, <<20, 0>>}} = {11, 12, 21, 22}
ASSUME \A <<x, y>> \in {<<1, 2>>, <<2, 4>>}, z \in {2} : y = z * x
ASSUME UNION {1..2, {7}, {}} = {1, 2, 7} /\ SUBSET {} = {{}} /\ {1} \in SUBSET (1..100)

(* Sequences. *)
ASSUME SubSeq(<<1, 2, 3, 4>>, 2, 3) = <<2, 3>> /\ SubSeq(<<1>>, 2, 1) = <<>>
ASSUME SelectSeq(<<1, 2, 3, 4>>, LAMBDA n : n % 2 = 0) = <<2, 4>>
ASSUME Head(<<7, 8>>) = 7 /\ Len("norn") = 4 /\ "no" \o "rn" = "norn"

-----------------------------------------------------------------------------
(* Two players take squares of a board, in turn, until nobody can. *)

Squares == Rows \X Columns
Init ==
  /\ board = [square \in Squares |-> "free"]
  /\ player = [turn |-> "white", taken |-> [white |-> {}, black |-> {}]]
  /\ history = <<>>

Other == [white |-> "black", black |-> "white"]

(* A square whose neighbours to the left and above are taken. *)
Play(row, column) ==
  /\ board[row, column] = "free"
  /\ \A <<r, c>> \in Squares : r <= row /\ c <= column /\ <<r, c>> # <<row, column>> => board[r, c] # "free"
  /\ board' = [board EXCEPT ![row, column] = player.turn]
  /\ player' = [player EXCEPT !.turn = Other[@], !.taken[player.turn] = @ \cup {<<row, column>>}]
  /\ history' = Append(history, [row |-> row, column |-> column])

Next == \E row \in Rows, column \in Columns : Play(row, column)

Agree ==
  /\ board \in [Squares -> {"free", "white", "black"}]
  /\ player \in [turn: DOMAIN Other, taken: [DOMAIN Other -> SUBSET Squares]]
  /\ \A who \in {"white", "black"} : player.taken[who] = {square \in Squares : board[square] = who}
  /\ \A i \in DOMAIN history : board[history[i].row, history[i].column] = IF i % 2 = 1 THEN "white" ELSE "black"

WhiteNeverEnds == Len(history) = Cardinality(Squares) => player.turn = "white"
=============================================================================
