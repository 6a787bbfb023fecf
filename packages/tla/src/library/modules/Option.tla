------------------------------- MODULE Option -------------------------------
(* A value or none, as Apalache has it. *)
EXTENDS Apalache, Variants

Some(x) == Variant("Some", x)
None == Variant("None", UNIT)

IsSome(o) == VariantTag(o) = "Some"
IsNone(o) == VariantTag(o) = "None"

OptionCase(o, caseSome(_), caseNone(_)) ==
  IF IsSome(o) THEN caseSome(VariantGetUnsafe("Some", o)) ELSE caseNone(UNIT)

OptionMap(f(_), o) == IF IsSome(o) THEN Some(f(VariantGetUnsafe("Some", o))) ELSE None
OptionFlatMap(f(_), o) == IF IsSome(o) THEN f(VariantGetUnsafe("Some", o)) ELSE None
OptionGetOrElse(o, default) == IF IsSome(o) THEN VariantGetUnsafe("Some", o) ELSE default

OptionToSeq(o) == IF IsSome(o) THEN <<VariantGetUnsafe("Some", o)>> ELSE <<>>
OptionToSet(o) == IF IsSome(o) THEN {VariantGetUnsafe("Some", o)} ELSE {}

OptionGuess(S) == IF S = {} THEN None ELSE Some(CHOOSE x \in S : TRUE)

OptionFunApp(f, o) == IF IsSome(o) THEN Some(f[VariantGetUnsafe("Some", o)]) ELSE None

OptionPartialFun(f, undef) == [x \in (DOMAIN f) \cup undef |-> IF x \in undef THEN None ELSE Some(f[x])]
=============================================================================
