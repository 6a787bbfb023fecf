------------------------------ MODULE Variants ------------------------------
(* Tagged values as Apalache has them: records of one field, the tag. *)

UNIT == "U_OF_UNIT"

Variant(tagName, value) == [tag \in {tagName} |-> value]

VariantTag(variant) == CHOOSE tag \in DOMAIN variant : TRUE

\* The values in S that have the tag.
VariantFilter(tagName, S) == { v[tagName] : v \in { w \in S : tagName \in DOMAIN w } }

VariantGetOrElse(tagName, variant, defaultValue) ==
  IF tagName \in DOMAIN variant THEN variant[tagName] ELSE defaultValue

VariantGetUnsafe(tagName, variant) == variant[tagName]
=============================================================================
