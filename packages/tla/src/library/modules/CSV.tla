-------------------------------- MODULE CSV ---------------------------------
(* Lines of values in files. All are native (library/natives/csv.ts). Paths are relative to the working directory. *)
LOCAL INSTANCE TLC
LOCAL INSTANCE Integers

\* Appends a line: the template with the elements of the sequence val in it, %1$s for the first.
CSVWrite(template, val, file) == TRUE
\* Appends the fields of a record, with their names in a line before if headers is TRUE.
CSVWriteRecord(record, delim, headers, file) == TRUE
\* The lines as a sequence of records of strings; empty if there is no such file.
CSVRead(columns, delimiter, file) == CHOOSE records : TRUE
\* How many lines it has; 0 if there is no such file.
CSVRecords(file) == CHOOSE n : n \in Nat
=============================================================================
