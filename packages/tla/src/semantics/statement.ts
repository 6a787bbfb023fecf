/**
 * Theorems, and what USE and HIDE name: resolved so that what is wrong in them is told, as SANY does. Nobody evaluates them,
 * unless a definition refers to a theorem by its name. Their proofs are not looked at.
 */
import { place, TlaError } from '../error.ts'
import { isOwn } from '../library/modules.ts'
import type {
  Argument,
  Expression,
  Identifier,
  NewSymbolSyntax,
  PathStep,
  ProofStepSyntax,
  SequentSyntax,
  TheoremSyntax,
} from '../syntax/ast.ts'
import { isBuiltin } from './builtin.ts'
import type { Statement } from './check-levels.ts'
import { bound, type Context } from './context.ts'
import { mustBeDefinable } from './definition.ts'
import { resolve } from './expression.ts'
import { selves } from './known-levels.ts'
import { within } from './label.ts'
import { PLAIN, type Rank } from './level.ts'
import { exportsOf } from './module-scope.ts'
import { unknown } from './reference.ts'
import { describeSymbol, type Entry, Scope } from './scope.ts'
import type { Symbol as AnySymbol, DefinitionSymbol, Term } from './term.ts'

/** While a statement has no body yet. */
export const NO_BODY = undefined as unknown as Term

/** Resolves what a theorem states, and binds its name. */
export function resolveTheorem(context: Context, { name, body }: TheoremSyntax, scope: Scope): Statement {
  const symbol = name === undefined ? undefined : statement(context, name, NO_BODY)
  const isSequent = body.kind === 'sequent'
  let stated: Statement
  if (isSequent) stated = resolveSequent(context, body, symbol, scope)
  else {
    const run = () => resolve(context, body, scope)
    const term = symbol === undefined ? run() : within(context, symbol, scope, run)
    stated = { kind: 'statement', sets: [], terms: [term] }
    if (symbol !== undefined) {
      symbol.body = term
      context.origins.bodies.set(symbol, body)
    }
  }
  if (symbol !== undefined) nameStatement(context, scope, symbol, isSequent)
  return stated
}

/** The name of an assumption or a theorem, which can be referred to as an operator without parameters. */
export function statement(context: Context, { name, at }: Identifier, body: Term): DefinitionSymbol {
  return {
    kind: 'definition',
    name,
    module: context.module,
    parameters: [],
    body,
    isRecursive: false,
    isNested: false,
    level: 'constant',
    at,
  }
}

export function nameStatement(context: Context, scope: Scope, symbol: DefinitionSymbol, isSequent = false): void {
  const known = scope.find(symbol.name)
  if (known?.isStatement) {
    context.warn(
      `a statement named \`${symbol.name}\` stands before (${place(known.symbol.at)}), and keeps the name`,
      symbol.at,
    )
    return
  }
  if (known?.symbol.kind === 'constant' || known?.symbol.kind === 'variable') {
    throw new TlaError(
      'semantics',
      `\`${symbol.name}\` is ${describeSymbol(known.symbol)} already (${place(known.symbol.at)}), and \`==\` here names what is stated: ` +
        'to compare is written `=`',
      symbol.at,
    )
  }
  mustBeDefinable(symbol, scope)
  scope.names.set(symbol.name, { symbol, through: [], isLocal: false, isStatement: true, isSequent })
}

// Sequents

/** @param symbol of the theorem; without a name it has no labels */
function resolveSequent(
  context: Context,
  sequent: SequentSyntax,
  symbol: DefinitionSymbol | undefined,
  scope: Scope,
): Statement {
  const sets: Term[] = []
  const terms: Term[] = []
  const inner = new Scope(scope)
  const run = () => resolveParts(sequent, inner)
  // What it declares is no parameter of the labels in it.
  if (symbol === undefined) run()
  else within(context, symbol, inner, run)
  return { kind: 'statement', sets, terms }

  function resolveParts({ assumed, proved }: SequentSyntax, own: Scope): void {
    const { labels } = context
    for (const each of assumed) {
      if (each.kind === 'new') {
        declare(each, own)
        // SANY has no labels below what a sequent within a sequent declares.
        if (own !== inner) context.labels = undefined
      } else if (each.kind === 'sequent') resolveParts(each, new Scope(own))
      else terms.push(resolve(context, each, own))
    }
    terms.push(resolve(context, proved, own))
    context.labels = labels
  }

  function declare({ sort, declared: { name, arity }, set }: NewSymbolSyntax, own: Scope): void {
    if (set !== undefined) sets.push(resolve(context, set, own))
    mustBeDefinable(name, own)
    const rank = RANKS[sort]
    let declared: AnySymbol
    if (sort === 'variable') declared = { kind: 'variable', name: name.name, module: context.module, at: name.at }
    else {
      declared = bound(name, arity)
      if (rank > 0) selves.set(declared, PLAIN[rank]!)
    }
    own.bind(name.name, name.at, declared)
  }
}

const RANKS: Readonly<Record<NewSymbolSyntax['sort'], Rank>> = {
  constant: 0,
  variable: 1,
  state: 1,
  action: 2,
  temporal: 3,
}

// USE and HIDE

/** @throws TlaError if they name what there is not, or what has nothing to use or hide */
export function resolveFacts(context: Context, { isHide, facts }: ProofStepSyntax, scope: Scope): void {
  for (const { name, at } of facts.modules) {
    if (name === context.module || scope.findModule(name) !== undefined || context.loaded(name) !== undefined) continue
    throw new TlaError(
      'semantics',
      `no module \`${name}\` is extended or instantiated here, so there are no facts of it`,
      at,
    )
  }
  for (const fact of facts.facts) resolveFact(context, fact, isHide, scope)
  for (const definition of facts.definitions) mustBeDefinition(context, definition, scope)
}

function resolveFact(context: Context, fact: Argument, isHide: boolean, scope: Scope): void {
  if (fact.kind === 'lambda' || fact.kind === 'operator symbol') {
    throw new TlaError(
      'semantics',
      'this is an operator, which is no fact: expected a formula, or `DEF` before it',
      fact.at,
    )
  }
  let bare: Expression = fact
  while (bare.kind === 'parentheses') bare = bare.body
  if (bare.kind === 'apply') {
    if (scope.find(bare.path[0]?.name ?? bare.name) === undefined && mayBeStatedElsewhere(context)) return
    if (find(context, bare, scope)?.isStatement) return
  }
  if (isHide) {
    throw new TlaError(
      'semantics',
      'HIDE takes the names of theorems and assumptions, and definitions after `DEF`',
      fact.at,
    )
  }
  resolve(context, fact, scope)
}

/** Of the proof system's modules norn has what they define, and not their theorems. */
function mayBeStatedElsewhere(context: Context): boolean {
  return PROVED.some((name) => {
    const module = context.loaded(name)
    return module !== undefined && isOwn(module.at.source)
  })
}
const PROVED = [
  ...[
    'TLAPS',
    'NaturalsInduction',
    'WellFoundedInduction',
    'BagsTheorems',
    'FiniteSetTheorems',
    'FiniteSetsExtTheorems',
  ],
  ...[
    'FoldsTheorems',
    'FunctionTheorems',
    'GraphTheorems',
    'QuorumTheorems',
    'SequenceTheorems',
    'SequencesExtTheorems',
  ],
]

function mustBeDefinition(context: Context, definition: Argument, scope: Scope): void {
  const isName =
    definition.kind === 'operator symbol' || (definition.kind === 'apply' && definition.arguments.length === 0)
  if (!isName) {
    throw new TlaError('semantics', 'expected the name of a definition alone after `DEF`', definition.at)
  }
  const entry = find(context, definition, scope)
  if (entry === undefined || entry.symbol.kind === 'definition' || entry.symbol.kind === 'instance') return
  throw new TlaError(
    'semantics',
    `\`${definition.name}\` is ${describeSymbol(entry.symbol)} (${place(entry.symbol.at)}), and \`DEF\` names definitions`,
    definition.at,
  )
}

/** What a name stands for, through instances; undefined of a part of a definition, and of what is built in. @throws TlaError */
function find(
  context: Context,
  { path, name, at }: { readonly path: readonly PathStep[]; readonly name: string; readonly at: Identifier['at'] },
  scope: Scope,
): Entry | undefined {
  if (path.length === 0 && isBuiltin(name)) return undefined
  let entry: Entry | undefined
  for (const step of [...path, { name, at }]) {
    if (entry === undefined) entry = scope.find(step.name)
    else if (entry.symbol.kind === 'instance') entry = exportsOf(entry.symbol.module, step.name)
    else return undefined
    if (entry === undefined) throw unknown(context, step.name, step.at, scope)
  }
  return entry
}
