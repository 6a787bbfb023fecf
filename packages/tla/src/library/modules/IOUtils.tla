------------------------------ MODULE IOUtils -------------------------------
(* Files and the environment. All but zeroPadN are native (library/natives/io.ts). Paths are relative to the working *)
(* directory. norn runs no programs: those that would are refused.                                                   *)
LOCAL INSTANCE TLC
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt

LOCAL Outcome == CHOOSE r \in [exitValue : Int, stdout : STRING, stderr : STRING] : TRUE

IOSerialize(val, absoluteFilename, compress) == TRUE
IODeserialize(absoluteFilename, compressed) == CHOOSE val : TRUE

\* options: [format |-> "TXT" or "NDJSON", charset |-> "UTF-8", openOptions |-> <<"WRITE", "CREATE", ...>>].
Serialize(value, dest, options) == Outcome
Deserialize(src, options) == Outcome

IOExec(command) == Outcome
IOEnvExec(env, command) == Outcome
IOExecTemplate(commandTemplate, parameters) == Outcome
IOEnvExecTemplate(env, commandTemplate, parameters) == Outcome

\* The environment variables, as a record of strings.
IOEnv == CHOOSE r \in [STRING -> STRING] : TRUE

\* The number that a string writes in decimal.
atoi(str) == CHOOSE i \in Int : ToString(i) = str

\* A number with zeros before it up to this width.
zeroPadN(n, width) ==
  LET text == ToString(n)
  IN  FoldLeft(LAMBDA padded, i : "0" \o padded, text, [i \in 1..(width - Len(text)) |-> i])
=============================================================================
