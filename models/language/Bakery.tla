-------------------------------- MODULE Bakery --------------------------------
(***************************************************************************)
(* The bakery algorithm (L. Lamport, "A New Solution of Dijkstra's         *)
(* Concurrent Programming Problem", 1974) in PlusCal, and what it means in *)
(* TLA+, as a translator would write it.  Tickets are bounded, and a       *)
(* process that is hasty draws one without saying that it is about to.     *)
(***************************************************************************)
EXTENDS Naturals, Sequences, TLC

CONSTANTS Processes, Highest, Hasty

Before(i, j, number) == number[i] < number[j] \/ (number[i] = number[j] /\ i < j)

(*
--algorithm Bakery
  variables choosing = [p \in Processes |-> FALSE],
            number = [p \in Processes |-> 0];

  macro Announce(whether) begin
    if ~Hasty then choosing[self] := whether; end if;
  end macro;

  process Customer \in Processes
    variables others = {}, highest = 0;
  begin
    enter:
      while TRUE do
        Announce(TRUE);
        others := Processes \ {self};
        highest := 0;
    look:
        while others # {} do
          with other \in others do
            if number[other] > highest then highest := number[other]; end if;
            others := others \ {other};
          end with;
        end while;
    draw:
        await highest < Highest;
        number[self] := highest + 1;
    say:
        Announce(FALSE);
        others := Processes \ {self};
    wait:
        while others # {} do
          with other \in others do
            await ~choosing[other];
            await number[other] = 0 \/ Before(self, other, number);
            others := others \ {other};
          end with;
        end while;
    served:
        skip;
    leave:
        number[self] := 0;
      end while;
  end process;
end algorithm;
*)
\* BEGIN TRANSLATION
VARIABLES choosing, number, pc, others, highest

vars == << choosing, number, pc, others, highest >>

ProcSet == (Processes)

Init == (* Global variables *)
        /\ choosing = [p \in Processes |-> FALSE]
        /\ number = [p \in Processes |-> 0]
        (* Process Customer *)
        /\ others = [self \in Processes |-> {}]
        /\ highest = [self \in Processes |-> 0]
        /\ pc = [self \in ProcSet |-> "enter"]

enter(self) == /\ pc[self] = "enter"
               /\ IF ~Hasty
                     THEN /\ choosing' = [choosing EXCEPT ![self] = TRUE]
                     ELSE /\ TRUE
                          /\ UNCHANGED choosing
               /\ others' = [others EXCEPT ![self] = Processes \ {self}]
               /\ highest' = [highest EXCEPT ![self] = 0]
               /\ pc' = [pc EXCEPT ![self] = "look"]
               /\ UNCHANGED number

look(self) == /\ pc[self] = "look"
              /\ IF others[self] # {}
                    THEN /\ \E other \in others[self]:
                              /\ IF number[other] > highest[self]
                                    THEN /\ highest' = [highest EXCEPT ![self] = number[other]]
                                    ELSE /\ TRUE
                                         /\ UNCHANGED highest
                              /\ others' = [others EXCEPT ![self] = others[self] \ {other}]
                         /\ pc' = [pc EXCEPT ![self] = "look"]
                    ELSE /\ pc' = [pc EXCEPT ![self] = "draw"]
                         /\ UNCHANGED << others, highest >>
              /\ UNCHANGED << choosing, number >>

draw(self) == /\ pc[self] = "draw"
              /\ highest[self] < Highest
              /\ number' = [number EXCEPT ![self] = highest[self] + 1]
              /\ pc' = [pc EXCEPT ![self] = "say"]
              /\ UNCHANGED << choosing, others, highest >>

say(self) == /\ pc[self] = "say"
             /\ IF ~Hasty
                   THEN /\ choosing' = [choosing EXCEPT ![self] = FALSE]
                   ELSE /\ TRUE
                        /\ UNCHANGED choosing
             /\ others' = [others EXCEPT ![self] = Processes \ {self}]
             /\ pc' = [pc EXCEPT ![self] = "wait"]
             /\ UNCHANGED << number, highest >>

wait(self) == /\ pc[self] = "wait"
              /\ IF others[self] # {}
                    THEN /\ \E other \in others[self]:
                              /\ ~choosing[other]
                              /\ number[other] = 0 \/ Before(self, other, number)
                              /\ others' = [others EXCEPT ![self] = others[self] \ {other}]
                         /\ pc' = [pc EXCEPT ![self] = "wait"]
                    ELSE /\ pc' = [pc EXCEPT ![self] = "served"]
                         /\ UNCHANGED others
              /\ UNCHANGED << choosing, number, highest >>

served(self) == /\ pc[self] = "served"
                /\ TRUE
                /\ pc' = [pc EXCEPT ![self] = "leave"]
                /\ UNCHANGED << choosing, number, others, highest >>

leave(self) == /\ pc[self] = "leave"
               /\ number' = [number EXCEPT ![self] = 0]
               /\ pc' = [pc EXCEPT ![self] = "enter"]
               /\ UNCHANGED << choosing, others, highest >>

Customer(self) == enter(self) \/ look(self) \/ draw(self) \/ say(self)
                     \/ wait(self) \/ served(self) \/ leave(self)

Next == (\E self \in Processes: Customer(self))

Spec == /\ Init /\ [][Next]_vars
        /\ \A self \in Processes : WF_vars(Customer(self))
\* END TRANSLATION

TypeOK ==
  /\ choosing \in [Processes -> BOOLEAN]
  /\ number \in [Processes -> 0..Highest]
  /\ others \in [Processes -> SUBSET Processes]
  /\ highest \in [Processes -> 0..Highest]

OneAtATime == \A p, q \in Processes : pc[p] = "served" /\ pc[q] = "served" => p = q

(* Whoever waits is served: not so where tickets are bounded, and not checked. *)
Served == \A p \in Processes : pc[p] = "wait" ~> pc[p] = "served"
================================================================================
