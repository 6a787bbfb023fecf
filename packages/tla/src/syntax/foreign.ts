/**
 * What people write who come from other languages, and how TLA+ writes it: words, words with a backslash, marks and
 * characters. For messages only: nothing here is read as what it was meant for.
 */

/** Words that are no names of TLA+, in lower case, to what is said of each. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['forall', '`for all` is written `\\A x \\in S : P`'],
  ['exists', '`there is` is written `\\E x \\in S : P`'],
  ['and', '`and` is written `/\\`'],
  ['or', '`or` is written `\\/`'],
  ['not', '`not` is written `~`, and that something is no element `\\notin`'],
  ['implies', '`implies` is written `=>`'],
  ['iff', '`if and only if` is written `<=>`'],
  ['mod', 'what remains of a division is written `a % b`'],
  ['div', 'division is written `a \\div b`'],
  ['notin', 'that something is no element is written `\\notin`'],
  ['cup', 'union is written `\\cup`'],
  ['cap', 'intersection is written `\\cap`'],
  ['intersect', 'intersection is written `\\cap`'],
  ['elsif', 'there is no such word: write `ELSE IF`'],
  ['elseif', 'there is no such word: write `ELSE IF`'],
  ['elif', 'there is no such word: write `ELSE IF`'],
  ['return', 'there are no statements: what a definition stands for is the expression after its `==`'],
  ['define', 'a definition has no word before it: `Name == …`'],
  ['for', 'there are no loops: `for all` is written `\\A x \\in S : P`, and a value for each `[x \\in S |-> e]`'],
  ['foreach', 'there are no loops: `for all` is written `\\A x \\in S : P`, and a value for each `[x \\in S |-> e]`'],
  ['while', 'there are no loops: each step of one is a step of the specification'],
  ['where', 'what is defined for one expression stands before it: `LET x == … IN …`'],
  ['import', 'modules are brought by `EXTENDS A, B`, right after the header'],
  ['include', 'modules are brought by `EXTENDS A, B`, right after the header'],
  ['as', 'an instance of a module is named by `Name == INSTANCE Module`'],
  ['of', '`OF` is no word of TLA+'],
  ['else', '`ELSE` is written in capitals, and the last arm of a `CASE` is `[] OTHER -> e`'],
  ['end', 'neither `IF` nor `LET` nor `CASE` has a word at its end'],
  ['endif', 'an `IF … THEN … ELSE …` has no word at its end'],
])

/** Names that people expect to be defined. */
const NAMES: ReadonlyMap<string, string> = new Map([
  [
    'null',
    'there is no such value: declare a constant of your own for it, and give it a model value in the configuration',
  ],
  [
    'none',
    'there is no such value: declare a constant of your own for it, and give it a model value in the configuration',
  ],
  [
    'nil',
    'there is no such value: declare a constant of your own for it, and give it a model value in the configuration',
  ],
  ['integer', 'the set of integers is `Int`, of module Integers'],
  ['integers', 'the set of integers is `Int`, of module Integers'],
  ['natural', 'the set of natural numbers is `Nat`, of module Naturals'],
  ['naturals', 'the set of natural numbers is `Nat`, of module Naturals'],
  ['nats', 'the set of natural numbers is `Nat`, of module Naturals'],
  ['bool', 'the set of truth values is `BOOLEAN`'],
  ['booleans', 'the set of truth values is `BOOLEAN`'],
  ['strings', 'the set of strings is `STRING`'],
  ['always', 'what is always true is `[]P`'],
  ['eventually', 'what is true at last is `<>P`'],
  ['leadsto', 'that one leads to the other is `P ~> Q`'],
  ['wf', 'weak fairness is written `WF_vars(A)`'],
  ['sf', 'strong fairness is written `SF_vars(A)`'],
  ['otherwise', 'the last arm of a `CASE` is `[] OTHER -> e`'],
  ['default', 'the last arm of a `CASE` is `[] OTHER -> e`'],
  ['emptyset', 'the empty set is written `{}`'],
  [
    'size',
    'the number of elements of a set is `Cardinality(S)` of module FiniteSets, of a sequence `Len(s)` of module Sequences',
  ],
  ['card', 'the number of elements of a set is `Cardinality(S)`, of module FiniteSets'],
  ['powerset', 'the set of all subsets is written `SUBSET S`'],
  ['function', 'a function is written `[x \\in S |-> e]`, an operator defined by `Name(x) == …`'],
])

/** Words of the language that newcomers write in small letters; others of them are too good names for that. */
const CAPITALS: ReadonlySet<string> = new Set([
  ...[
    'IF',
    'THEN',
    'ELSE',
    'LET',
    'IN',
    'CASE',
    'OTHER',
    'CHOOSE',
    'EXCEPT',
    'UNCHANGED',
    'ENABLED',
    'DOMAIN',
    'LAMBDA',
  ],
  ...['SUBSET', 'UNION', 'EXTENDS', 'CONSTANT', 'CONSTANTS', 'VARIABLE', 'VARIABLES', 'ASSUME', 'THEOREM', 'LEMMA'],
  ...['INSTANCE', 'WITH', 'RECURSIVE', 'LOCAL', 'TRUE', 'FALSE', 'BOOLEAN', 'STRING'],
])

/** What words of configurations say in a module. */
const CONFIGURATION: ReadonlySet<string> = new Set([
  ...[
    'SPECIFICATION',
    'INIT',
    'NEXT',
    'INVARIANT',
    'INVARIANTS',
    'PROPERTY',
    'PROPERTIES',
    'CONSTRAINT',
    'CONSTRAINTS',
  ],
  ...['ACTION_CONSTRAINT', 'ACTION_CONSTRAINTS', 'SYMMETRY', 'VIEW', 'ALIAS', 'CHECK_DEADLOCK', 'POSTCONDITION'],
])

/** Those of them that are no good names with a capital first either. */
const CAPITALISED =
  /^(?:If|Then|Else|Let|In|Choose|Extends|Constants?|Variables?|Assume|Theorem|Lemma|Instance|Recursive|Unchanged|True|False|Boolean|Subset|Union|With|Lambda)$/

/** What is said of a name that is none, if it is known from elsewhere; undefined if not. */
export function foreignWord(name: string): string | undefined {
  const capitals = name.toUpperCase()
  if (name === 'in') return '`IN` ends the definitions of a `LET`, and to be an element is written `\\in`'
  const isWord = /^[A-Z][a-z]*$/.test(name) ? CAPITALISED.test(name) : capitals !== name
  if (isWord && CAPITALS.has(capitals) && capitals !== 'ELSE') return `\`${capitals}\` is written in capitals`
  return WORDS.get(name.toLowerCase())
}

/** What is said of a name that is not defined; undefined if nothing is known of it. */
export function foreignName(name: string): string | undefined {
  return foreignWord(name) ?? NAMES.get(name.toLowerCase())
}

/** What is said of a word of configurations at the beginning of a line of a module; undefined of any other. */
export function configurationWord(name: string): string | undefined {
  if (!CONFIGURATION.has(name)) return undefined
  return `\`${name}\` belongs in the configuration, a file of the same name that ends in \`.cfg\``
}

/** Words with a backslash, to how TLA+ writes them. */
const COMMANDS: ReadonlyMap<string, string> = new Map([
  ...['le', 'leqslant', 'leqq'].map((word) => [word, '`<=` or `\\leq`'] as const),
  ...['ge', 'geqslant', 'geqq'].map((word) => [word, '`>=` or `\\geq`'] as const),
  ...['ne', 'neq', 'not', 'noteq', 'notequal'].map((word) => [word, '`/=` or `#`'] as const),
  ['nin', '`\\notin`'],
  ['ni', '`\\in`, with the element on the left'],
  ...['cat', 'concat', 'append', 'frown'].map((word) => [word, '`\\o`'] as const),
  ...['implies', 'Rightarrow', 'Implies', 'imp'].map((word) => [word, '`=>`'] as const),
  ...['iff', 'Leftrightarrow', 'leftrightarrow'].map((word) => [word, '`<=>`'] as const),
  ...['to', 'rightarrow'].map((word) => [word, '`->`'] as const),
  ...['wedge', 'and', 'And', 'AND', 'bigwedge'].map((word) => [word, '`/\\`'] as const),
  ...['vee', 'or', 'Or', 'OR', 'bigvee'].map((word) => [word, '`\\/`'] as const),
  ...['emptyset', 'varnothing', 'empty', 'EmptySet'].map((word) => [word, '`{}`'] as const),
  ...['setminus', 'minus', 'diff', 'backslash'].map((word) => [word, '`\\` alone'] as const),
  ...['mod', 'bmod', 'pmod'].map((word) => [word, '`%`'] as const),
  ...['cross', 'prod'].map((word) => [word, '`\\X`'] as const),
  ...['intersection', 'inter', 'Inter', 'INTERSECTION', 'intersects', 'dintersect'].map(
    (word) => [word, '`\\cap`'] as const,
  ),
  ...['Union', 'UNION', 'bigcup'].map((word) => [word, '`UNION S`, of two sets `S \\cup T`'] as const),
  ...['ldots', 'cdots', 'dots'].map((word) => [word, '`..`'] as const),
  ...['subsetof', 'subsetequal', 'subseteqq', 'issubset'].map((word) => [word, '`\\subseteq`'] as const),
  ...['forAll', 'Forall', 'FORALL', 'all'].map((word) => [word, '`\\A`'] as const),
  ...['Exists', 'EXISTS', 'exist'].map((word) => [word, '`\\E`'] as const),
  ...['Power', 'power', 'powerset', 'mathcal', 'mathbb'].map(
    (word) => [word, '`SUBSET S`, if the set of all subsets is meant'] as const,
  ),
  ...['NOT', 'Not', 'sim', 'lnot'].map((word) => [word, '`~`'] as const),
  ['mapsto', '`|->`'],
  ['langle', '`<<`'],
  ['rangle', '`>>`'],
  ['lambda', '`LAMBDA x : e`'],
  ['leadsto', '`~>`'],
  ['prime', "`'`"],
  ['div', '`\\div`'],
  ['TRUE', '`TRUE`'],
  ['FALSE', '`FALSE`'],
])

/** Words of the language that someone has put a backslash before. */
const WORDS_OF_THE_LANGUAGE =
  /^(?:IF|THEN|ELSE|LET|IN|CHOOSE|CASE|Nat|Int|BOOLEAN|UNCHANGED|SUBSET|Cardinality|Len|DOMAIN)$/

const SUM = /^(?:sum|Sum|SUM|bigsum)$/
const INFINITE = /^inf(?:ty|inity)?$/

/** Whether a word with a backslash is known from elsewhere. */
export function isKnownCommand(word: string): boolean {
  return COMMANDS.has(word) || WORDS_OF_THE_LANGUAGE.test(word) || SUM.test(word) || INFINITE.test(word)
}

/** @param word what follows a backslash */
export function foreignCommand(word: string): string {
  const known = COMMANDS.get(word)
  if (known !== undefined) return `\`\\${word}\` is written ${known}`
  if (WORDS_OF_THE_LANGUAGE.test(word)) return `\`${word}\` has no backslash before it`
  if (SUM.test(word))
    return `there is no \`\\${word}\`: a sum over a set is a RECURSIVE operator, or \`MapThenSumSet\` of module FiniteSetsExt`
  if (INFINITE.test(word)) return `there is no \`\\${word}\`: no number is infinite`
  return `there is no \`\\${word}\``
}

/** Operators that TLA+ lets people define, and other languages have, by what they mean there. */
const OPERATORS: ReadonlyMap<string, string> = new Map([
  ['&&', '`and` is written `/\\`'],
  ['&', '`and` is written `/\\`; of numbers, module Bitwise defines it'],
  ['||', '`or` is written `\\/`'],
  ['|', '`or` is written `\\/`, of numbers module Bitwise defines it, and of a set by a condition the mark is `:`'],
  [':=', "the next value of a variable is given by `x' = e`; `:=` is an assignment of PlusCal"],
  ['++', 'sequences are joined by `\\o`, sets by `\\cup`'],
  ['**', 'a power is written `a ^ b`'],
  ['//', 'division is written `a \\div b`; a comment begins with `\\*`'],
  ['--', 'a comment begins with `\\*`'],
  ['%%', 'what remains of a division is written `a % b`'],
  ['!!', '`not` is written `~`'],
  ['|-', '`[x \\in S |-> e]` has the arrow `|->`'],
  ['|=', 'that two values differ is written `/=` or `#`'],
  ['^*', 'nothing defines it; the closure of a relation is `TransitiveClosure(R, S)`, of module Relation'],
  ['^+', 'nothing defines it; the closure of a relation is `TransitiveClosure(R, S)`, of module Relation'],
  ['\\bullet', 'sequences are joined by `\\o`'],
])

/** What is said of an operator that is not defined; undefined if nothing is known of it. */
export function foreignOperator(symbol: string): string | undefined {
  return OPERATORS.get(symbol)
}

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  [';', 'nothing ends by a mark: leave it out, or join conditions by `/\\`'],
  ['?', 'a choice is written `IF condition THEN a ELSE b`'],
  ['`', 'leave marks of Markdown out of the text'],
  ['\u201c', 'a string stands in straight quotes: `"`'],
  ['\u201d', 'a string stands in straight quotes: `"`'],
  ['\u201e', 'a string stands in straight quotes: `"`'],
  ['\u2018', "a next value has a straight prime: `'`"],
  ['\u2019', "a next value has a straight prime: `'`"],
  ['\u2032', "a next value has a straight prime: `'`"],
  ['\u00b4', "a next value has a straight prime: `'`"],
  ['\u2212', 'minus is written `-`'],
  ['\u2010', 'minus is written `-`'],
  ['\u2011', 'minus is written `-`'],
  ['\u2012', 'minus is written `-`'],
  ['\u2013', 'minus is written `-`'],
  ['\u2014', 'minus is written `-`, and a line of marks `----`'],
  ['\u2500', 'a line is drawn by `----`'],
  ['\u2501', 'a line is drawn by `----`'],
  ['\u2550', 'the end of a module is drawn by `====`'],
  ['\u00a0', 'it looks like a space and is none: type a space'],
  ['\u2003', 'it looks like a space and is none: type a space'],
  ['\u202f', 'it looks like a space and is none: type a space'],
  ['\u3000', 'it looks like a space and is none: type a space'],
  ['\u200b', 'it cannot be seen: delete it'],
  ['\u2060', 'it cannot be seen: delete it'],
  ['\ufeff', 'it cannot be seen: delete it'],
  ['\u2205', 'the empty set is written `{}`'],
  ['\u2216', 'the difference of sets is written `S \\ T`'],
  ['\u2026', 'an interval is written `a..b`'],
  ['\u21d0', 'implication is written `=>`, with what follows on the right'],
  ['\u27f9', 'implication is written `=>`'],
  ['\u27fa', 'equivalence is written `<=>`'],
  ['\u2204', 'that there is none is written `~ \\E x \\in S : P`'],
  ['\u2211', 'a sum over a set is a RECURSIVE operator, or `MapThenSumSet` of module FiniteSetsExt'],
  ['\u03a3', 'a sum over a set is a RECURSIVE operator, or `MapThenSumSet` of module FiniteSetsExt'],
  ['\u221e', 'no number is infinite'],
  ['\u00b7', 'a product of numbers is written `a * b`'],
  ['\u22c0', '`/\\` joins conditions, and `\\A x \\in S : P` says that all hold'],
  ['\u22c1', '`\\/` joins conditions, and `\\E x \\in S : P` says that one holds'],
  ['\u03bb', 'an operator without a name is written `LAMBDA x : e`'],
  ['\u2119', 'the set of all subsets is written `SUBSET S`'],
  ['\u{1d539}', 'the set of truth values is `BOOLEAN`'],
])

/** What is said of a character that is no part of the language; undefined if nothing is known of it. */
export function foreignCharacter(character: string): string | undefined {
  return CHARACTERS.get(character)
}
