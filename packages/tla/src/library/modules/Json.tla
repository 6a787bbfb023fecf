-------------------------------- MODULE Json --------------------------------
(* JSON: records and other functions are objects, sequences and sets arrays. All are native (library/natives/json.ts). *)
(* Paths are relative to the working directory.                                                                        *)
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE TLC

LOCAL Text(value) == CHOOSE text \in STRING : value = value

\* The text of a value; of a sequence or set as array; of a function as object.
ToJson(value) == Text(value)
ToJsonArray(value) == Text(value)
ToJsonObject(value) == Text(value)

\* Files that hold one value, or one in each line.
JsonSerialize(absoluteFilename, value) == TRUE
JsonDeserialize(absoluteFilename) == CHOOSE value : TRUE
ndJsonSerialize(absoluteFilename, value) == TRUE
ndJsonDeserialize(absoluteFilename) == CHOOSE value : TRUE
=============================================================================
