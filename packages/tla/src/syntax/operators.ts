/**
 * The operator symbols: spelling, position and precedence.
 *
 * After the table of "Specifying Systems" (Lamport 2002, p. 271). An operator has a *range* of
 * precedences: two operators whose ranges overlap need parentheses, unless they are the same
 * left-associative operator. Where the table and SANY disagree, SANY wins (`\cdot`, `$` and others
 * with a range).
 */

export interface Operator {
  /** Its canonical spelling, as syntax/ast.ts lists them. */
  readonly name: string
  readonly fix: 'prefix' | 'infix' | 'postfix'
  /** The range of precedences, 1 (`=>`) to 15 (`'`). */
  readonly low: number
  readonly high: number
  /** Whether `a op b op c` is `(a op b) op c`; it is refused otherwise. */
  readonly isAssociative: boolean
}

export const PREFIX = new Map<string, Operator>()
export const INFIX = new Map<string, Operator>()
export const POSTFIX = new Map<string, Operator>()

function define(into: Map<string, Operator>, fix: Operator['fix'], low: number, high: number, names: string): void {
  for (const name of names.split(' ')) into.set(name, { name, fix, low, high, isAssociative: false })
}

/** `-.` is how unary minus is named; it is written `-`. */
define(PREFIX, 'prefix', 4, 4, '~')
define(PREFIX, 'prefix', 4, 15, '[] <> ENABLED UNCHANGED')
define(PREFIX, 'prefix', 10, 13, 'SUBSET UNION DOMAIN')
define(PREFIX, 'prefix', 12, 12, '-.')

define(POSTFIX, 'postfix', 15, 15, "' ^+ ^* ^#")

define(INFIX, 'infix', 1, 1, '=>')
define(INFIX, 'infix', 2, 2, '<=> ~> -+->')
define(INFIX, 'infix', 3, 3, '/\\ \\/')
define(INFIX, 'infix', 5, 5, '= # \\in \\notin < > \\leq \\geq \\subseteq \\subset \\supset \\supseteq')
define(INFIX, 'infix', 5, 5, '\\sqsubset \\sqsubseteq \\sqsupset \\sqsupseteq \\prec \\succ \\preceq \\succeq')
define(INFIX, 'infix', 5, 5, '\\sim \\simeq \\ll \\gg \\asymp \\approx \\cong \\doteq \\propto |- |= -| =| := ::=')
define(INFIX, 'infix', 5, 14, '\\cdot')
define(INFIX, 'infix', 6, 6, '@@')
define(INFIX, 'infix', 7, 7, ':> <:')
define(INFIX, 'infix', 8, 8, '\\ \\cap \\cup')
define(INFIX, 'infix', 9, 9, '.. ...')
define(INFIX, 'infix', 9, 13, '$ $$ ?? ## !! \\uplus \\sqcap \\sqcup')
define(INFIX, 'infix', 9, 14, '\\wr')
define(INFIX, 'infix', 10, 10, '+ ++ (+)')
define(INFIX, 'infix', 10, 11, '| || % %%')
define(INFIX, 'infix', 10, 13, '\\X')
define(INFIX, 'infix', 11, 11, '- -- (-)')
define(INFIX, 'infix', 13, 13, '* ** / // & && \\div \\o \\star \\bigcirc \\bullet (.) (/) (\\X)')
define(INFIX, 'infix', 14, 14, '^ ^^')

const ASSOCIATIVE =
  '/\\ \\/ \\cdot @@ \\cap \\cup $ $$ ?? ## \\uplus \\sqcap \\sqcup + ++ (+) | || %% \\X - -- (-) * ** & && \\o \\star \\bigcirc \\bullet (.) (\\X)'
for (const name of ASSOCIATIVE.split(' ')) INFIX.set(name, { ...INFIX.get(name)!, isAssociative: true })

/** Other spellings of an operator or of a mark, to the canonical one. */
export const SYNONYMS: ReadonlyMap<string, string> = new Map(
  [
    '/\\ \\land ∧',
    '\\/ \\lor ∨',
    '~ \\lnot \\neg ¬',
    '=> ⇒',
    '<=> \\equiv ≡ ⇔',
    '# /= ≠',
    '\\in ∈',
    '\\notin ∉',
    '\\leq =< <= ≤',
    '\\geq >= ≥',
    '\\cap \\intersect ∩',
    '\\cup \\union ∪',
    '\\X \\times ×',
    '\\o \\circ ∘',
    '(+) \\oplus ⊕',
    '(-) \\ominus ⊖',
    '(\\X) \\otimes ⊗',
    '(/) \\oslash ⊘',
    '(.) \\odot ⊙',
    '[] □',
    '<> ◇',
    '~> ↝',
    '-+-> ⇸',
    '\\E \\exists ∃',
    '\\A \\forall ∀',
    '== ≜',
    '<< ⟨',
    '>> ⟩',
    '>>_ ⟩_',
    '-> →',
    '<- ←',
    '|-> ↦',
    ':: ∷',
    '^+ ⁺',
    '.. ‥',
    '... …',
    '!! ‼',
    '?? ⁇',
    '|| ‖',
    ':= ≔',
    '::= ⩴',
    '=| ⫤',
    '-| ⊣',
    '|= ⊨',
    '|- ⊢',
    '\\approx ≈',
    '\\asymp ≍',
    '\\bigcirc ◯',
    '\\bullet ●',
    '\\cdot ⋅',
    '\\cong ≅',
    '\\div ÷',
    '\\doteq ≐',
    '\\gg ≫',
    '\\ll ≪',
    '\\prec ≺',
    '\\preceq ⪯',
    '\\propto ∝',
    '\\sim ∼',
    '\\simeq ≃',
    '\\sqcap ⊓',
    '\\sqcup ⊔',
    '\\sqsubset ⊏',
    '\\sqsubseteq ⊑',
    '\\sqsupset ⊐',
    '\\sqsupseteq ⊒',
    '\\star ⋆',
    '\\subset ⊂',
    '\\subseteq ⊆',
    '\\succ ≻',
    '\\succeq ⪰',
    '\\supset ⊃',
    '\\supseteq ⊇',
    '\\uplus ⊎',
    '\\wr ≀',
  ].flatMap((line) => {
    const [canonical, ...others] = line.split(' ')
    return others.map((other) => [other, canonical!] as const)
  }),
)
