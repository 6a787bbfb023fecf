/**
 * The forty likeliest mistakes of newcomers from other languages, with the TLA+ syntax.
 *
 * A pattern matches the text around an error, without comments, with `▸` at the error. The first
 * match counts. Without a match there is no advice: a wrong guess misleads.
 */
import type { Span } from '../error/span.ts'

/** Characters before the error, and after it on its line, that patterns see. */
const SEEN = 200

/**
 * What to write instead of the text at an error; undefined if it is not one of the known mistakes.
 */
export function adviceAt({ source, line, column }: Span): string | undefined {
  const lines = source.text.split(/\r\n|\n|\r/)
  const own = lines[line - 1] ?? ''
  // A word after a backslash is one command, although the lexer reads an operator and a name.
  const start = own[column - 2] === '\\' && /\w/.test(own[column - 1] ?? '') ? column - 2 : column - 1
  const before = [...lines.slice(Math.max(0, line - 4), line - 1), own.slice(0, start)].join('\n')
  const after = own.slice(start, start + SEEN)
  const seen = `${before.replace(/\\\*.*/g, '').slice(-SEEN)}▸${after}`
  return MISTAKES.find(([pattern]) => pattern.test(seen))?.[1]
}

/** One of some words where the error is, or right before it on the line. */
function word(words: string): RegExp {
  return new RegExp(`▸(?:${words})(?!(?<=\\w)\\w)|(?<!\\w)(?:${words})[ \\t]+▸[\\w"(<[{~\\\\]`)
}

/** Keywords in any case but capitals, without those that make good names. */
const KEYWORDS =
  'If Then Else Let Case Other Choose Except Unchanged Enabled Subset Extends Constant Constants Variable Variables ' +
  'Assume Instance Recursive Lambda True False Boolean Theorem'
const NOT_IN_CAPITALS = KEYWORDS.split(' ').map((each) => `[${each[0]}${each[0]!.toLowerCase()}]${each.slice(1)}`)

const DECLARED = String.raw`\b(?:VARIABLE|CONSTANT)S?\s[\w\s,()]*`

export const MISTAKES: readonly (readonly [RegExp, string])[] = [
  // Characters
  [/▸;/, 'delete it; join conditions with `/\\`'],
  [/▸\?/, 'write `IF p THEN a ELSE b`'],
  [/▸[“”„«»‘’′´]/, 'type straight quotes: `"…"` around a string, `\'` after a variable'],
  [
    /▸[\u00a0\u2003\u202f\u3000\u200b\u2060\ufeff\u2010-\u2015\u2212\u2500\u2501\u2550]/,
    'type a plain space, `-` or `=`: this is another character that looks like it',
  ],
  [/▸'[^'\n]*'/, 'write strings in double quotes: `"…"`'],

  // Comments
  [
    /^[ \t]*(?:▸(?:\/\/|\/\*|[#%*]|--(?!-))|(?:\/\/|\/\*|[#%*]|--(?!-))[^\n]*▸)|(?:\/\/|\/\*|[#%*]|--)[ \t]*\w+[ \t]+▸[a-z]|▸#[ \t]+[a-z]+[ \t]+[a-z]/m,
    'write comments as `\\* …` or `(* … *)`',
  ],

  // Expressions
  [/\w\s*!=?\s*▸|▸!=|[\w)\]]\s*▸<>|▸\\(?:neq?|noteq)\b|\\(?:neq?|noteq)\s+▸/, 'write `/=` or `#` for "not equal"'],
  [/UNCHANGED[ \t]+\w+[ \t]*▸[,\w]/, 'write `UNCHANGED <<x, y>>`'],
  [
    /EXCEPT\s+(?:!\s*)?▸|EXCEPT\s+![^=\n]*▸[:|=-]|▸EXCEPT/,
    'write `[f EXCEPT ![a] = e]`, with the brackets and the `!`',
  ],
  [/\[[^\]\n]*▸\]\w|▸\w+_vars\b/, 'write the subscript after `]_`: `[Next]_vars`'],
  [/\S[^\n]*▸\w+\s*==(?!=)|[\])]\s*▸==|[^=]=\s*▸=(?!=)/, 'compare with `=`; `==` starts a definition'],
  [
    new RegExp(
      String.raw`,\s*▸(?:\)|\]|\}|>>|VARIABLE|CONSTANT|ASSUME|LOCAL|RECURSIVE|THEOREM|----|====)|${DECLARED},[ \t]*\n\s*\w+\s*(?:▸==|\(▸)`,
    ),
    'remove the comma after the last item',
  ],
  [
    new RegExp(String.raw`${DECLARED}▸(?::=?|<-|==?(?!=)|\\in\b|\\subseteq\b)`),
    'a declaration takes names only: write `Init == x = 0` and `TypeOK == x \\in S` for a variable, ' +
      '`CONSTANT N = 3` in the configuration and `ASSUME N \\in S` for a constant',
  ],
  [/(?:^\s*|LET\s+)\w+(?:\([^()\n]*\))?\s*▸(?::?=(?![=>])|:(?!:))/m, 'define with `Name == …`; `=` compares'],
  [word(String.raw`&&?|\\?and|AND`), 'write `/\\` for "and"'],
  [word(String.raw`\|\|?(?!-)|\\?or|OR`), 'write `\\/` for "or"'],
  [word(String.raw`(?:not\s+)?in|\\?notin|\\nin`), 'write `x \\in S` or `x \\notin S`'],
  [/▸!(?!=)|(?<!\w)\\?(?:not|NOT)[ \t]*▸/, 'write `~` for "not"'],
  [/▸:=|[-+*/]▸=(?!=)|(?:\+\+|--)\s*▸(?!\w)/, "write `x' = e` for the next value of a variable"],
  [/▸\+\+/, 'write `s \\o t` to join sequences, `S \\cup T` to join sets'],
  [
    word(String.raw`mod|MOD|div|\\mod|%%|\/(?![/\\=])`),
    'write `a % b` for the remainder and `a \\div b` for the quotient',
  ],
  [/▸\\[lg]e(?:qslant)?\b|\\[lg]e(?:qslant)?[ \t]+▸/, 'write `<=` (or `\\leq`) and `>=` (or `\\geq`)'],
  [
    /▸\\(?:emptyset|varnothing|setminus|implies|Rightarrow|iff)\b|\\(?:emptyset|varnothing|setminus|implies|Rightarrow|iff)\s+▸/,
    'write `{}` for the empty set, `S \\ T` for a difference, `=>` for "implies", `<=>` for "if and only if"',
  ],
  [/CASE[^\n]*▸(?::|THEN|,|OTHER)|▸(?:otherwise|OTHERWISE|default)\b/, 'write `CASE p -> a [] q -> b [] OTHER -> c`'],
  [
    /\{[^}\n]*▸\|->|\{\s*["\w]+\s*:\s*▸["\d]|\["[^\n]*"\s*▸\|->|\[\s*\w+\s*(?:=|->)[^\]\n]*▸[,\]]/,
    'write a record as `[field |-> e]`, a set of records as `[field : S]`',
  ],
  [/\[[^\]\n]*\\in[^\]\n]*▸(?:->|\])/, 'write a function as `[x \\in S |-> e]`, the set of functions as `[S -> T]`'],
  [/\{\s*(\w+)\s*:\s*\1\s*▸|\[[^\]\n]*\\in[^\]\n]*▸:/, 'write `{x \\in S : P}` for the elements of S that satisfy P'],

  // Definitions, declarations and modules
  [new RegExp(String.raw`${DECLARED}[\w)]\s+▸\w`), 'separate declared names with commas'],
  [
    /[([][^()[\]\n>:]*▸,|\[[^\]\n\\]*▸\]|▸<\s*\w/,
    'write a sequence as `<<a, b>>`, a set as `{a, b}`, an interval as `a..b`',
  ],
  [/\w\(▸\)/, 'leave the parentheses out: an operator without parameters is `Name`'],
  [/\w\([\w\s,]*▸(?::|\\in)/, 'a parameter has no type: write `F(x) == e`, or a function `f[x \\in S] == e`'],
  [/(?<!\w)(?:def|define|fun|func|function|const|var)[ \t]+▸\w/, 'start a definition with its name: `Name(x) == e`'],
  [word('elif|elsif|elseif|endif|end'), 'write `ELSE IF`; no word ends an `IF`, a `LET` or a `CASE`'],
  [word(NOT_IN_CAPITALS.join('|')), 'write keywords in capitals: `IF`, `LET`, `TRUE`, …'],
  [
    word('for|foreach|forall|while|return'),
    'write an expression, as in `\\A x \\in S : P` or `[x \\in S |-> e]`: TLA+ has no statements',
  ],
  [word('import|include|using|require|from'), 'write `EXTENDS A, B` after the header of the module'],
  [
    word('SPECIFICATION|INIT|NEXT|INVARIANTS?|PROPERTY|PROPERTIES|CONSTRAINTS?|SYMMETRY|VIEW|CHECK_DEADLOCK'),
    'move this to the configuration, the file that ends in `.cfg`',
  ],

  // Names
  [
    word('null|Null|NULL|none|None|NONE|nil|undefined'),
    'declare a constant for it, and assign a model value in the configuration',
  ],
  [
    word('len|length|size|Size|count|card|cardinality'),
    'write `Len(s)` for a sequence (module Sequences), `Cardinality(S)` for a set (module FiniteSets)',
  ],
  [/▸vars\b/, 'define it as the tuple of all variables: `vars == <<x, y>>`'],
]
