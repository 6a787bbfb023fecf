/**
 * The initial predicate and the next-state relation: named by INIT and NEXT, or extracted from
 * SPECIFICATION, `Init /\ [][Next]_vars /\ fairness`, with definitions and instances unfolded as in
 * TLC.
 */
import type { Configuration } from '../configuration/configuration.ts'
import { TlaError } from '../error/error.ts'
import { meantOf } from '../semantics/nearest.ts'
import type { Module, Term } from '../semantics/term.ts'
import type { Identifier } from '../syntax/ast.ts'
import type { Compiler } from './compiler.ts'
import { isNamed, named } from './names.ts'
import { expand, isPlainDefinition, letScope, resolve } from './references.ts'
import type { Scope } from './scope.ts'
import { textOf } from './text.ts'

/** A term with its scope. */
export interface Scoped {
  readonly term: Term
  readonly scope: Scope
}

export interface Specification {
  /** The conjuncts of the initial predicate. */
  readonly initial: readonly Scoped[]
  /** The conjuncts of the next-state relation. */
  readonly next: readonly Scoped[]
  /** Fairness and other conjuncts about infinite behaviours, as text. */
  readonly temporal: readonly string[]
}

/** A hint for a module whose PlusCal algorithm is not translated; undefined for others. */
function notTranslated({ at: { source } }: Module): string | undefined {
  const begin = /--\s*(?:fair\s+)?algorithm\b/.exec(source.text)
  if (begin === null || /\bBEGIN\s+TRANSLATION\b/.test(source.text)) return undefined
  const line = source.text.slice(0, begin.index).split(/\r\n|\n|\r/).length
  return `: its PlusCal algorithm (line ${line}) is not translated to TLA+ yet: run the translator of the TLA+ tools (pcal.trans)`
}

/** A reference to a name of the configuration. @throws TlaError located in the configuration */
export function referenceTo(module: Module, { name, at }: Identifier, what: string): Term {
  const found = named(module, name)
  if (found === undefined || !isNamed(found)) {
    throw new TlaError(
      'configuration',
      `the configuration names \`${name}\` as ${what}, but module ${module.name} does not define ` +
        `it${notTranslated(module) ?? meantOf(name, module.names)}`,
      at,
    )
  }
  const { symbol, through } = found
  if (symbol.kind === 'definition' && symbol.parameters.length > 0) {
    const count = symbol.parameters.length
    throw new TlaError(
      'configuration',
      `\`${name}\` has ${count} parameter${count > 1 ? 's' : ''}, but ${what} takes none`,
      at,
    )
  }
  const level = symbol.kind === 'definition' ? symbol.level : symbol.kind === 'variable' ? 'state' : 'constant'
  return { kind: 'reference', symbol, through, arguments: [], at: symbol.at, level }
}

/**
 * A reference to a name of the configuration, of level `most` at most.
 *
 * @throws TlaError located in the configuration
 */
export function referenceOfLevel(module: Module, name: Identifier, what: string, most: 'constant' | 'state'): Term {
  const term = referenceTo(module, name, what)
  const { level } = term
  if (level === 'constant' || level === most) return term
  const about = { state: 'reads variables', action: 'has a prime', temporal: 'is temporal' }[level]
  const instead =
    what === 'a constraint'
      ? level === 'action'
        ? 'an ACTION_CONSTRAINT'
        : 'a PROPERTY'
      : `a PROPERTY${level === 'action' ? `, as \`[][${name.name}]_vars\`` : ''}`
  const expected =
    most === 'constant'
      ? `${what} is evaluated outside of states: use statistics, such as \`TLCGet("distinct")\``
      : `${what} is about single states: name it as ${instead}`
  throw new TlaError('configuration', `\`${name.name}\` ${about}, and ${expected}`, name.at)
}

export function specificationOf(
  compiler: Compiler,
  module: Module,
  configuration: Configuration,
  scope: Scope,
): Specification {
  const { init, next, specification } = configuration
  if (specification !== undefined) {
    const term = referenceTo(module, specification, 'the specification')
    const parts: { initial: Scoped[]; next: Scoped[]; temporal: string[] } = { initial: [], next: [], temporal: [] }
    unfold(compiler, { term, scope }, parts)
    if (parts.initial.length === 0 && module.variables.length > 0) {
      throw new TlaError(
        'configuration',
        `\`${specification.name}\` does not constrain the initial state: add the conjunct \`Init\`, as ` +
          `in \`Init /\\ [][Next]_vars\``,
        specification.at,
      )
    }
    if (parts.next.length === 0 && module.variables.length > 0) {
      throw new TlaError(
        'configuration',
        `\`${specification.name}\` does not constrain the steps: add the conjunct \`[][Next]_vars\``,
        specification.at,
      )
    }
    return parts
  }
  const both = (name: Identifier | undefined, what: string): Scoped[] =>
    name === undefined ? [] : [{ term: referenceTo(module, name, what), scope }]
  return {
    initial: both(init, 'the initial predicate'),
    next: both(next, 'the next-state relation'),
    temporal: [],
  }
}

function unfold(
  compiler: Compiler,
  { term, scope }: Scoped,
  parts: { initial: Scoped[]; next: Scoped[]; temporal: string[] },
): void {
  if (term.kind === 'and') {
    for (const item of term.items) unfold(compiler, { term: item, scope }, parts)
    return
  }
  if (term.level === 'constant' || term.level === 'state') {
    parts.initial.push({ term, scope })
    return
  }
  const inner = unfolded(compiler, { term, scope })
  if (inner !== undefined) {
    unfold(compiler, inner, parts)
    return
  }
  if (term.kind === 'primitive' && term.name === '[]') {
    const boxed = boxedAction(compiler, { term: term.arguments[0]!, scope })
    if (boxed !== undefined) {
      parts.next.push(boxed)
      return
    }
    const { level } = term.arguments[0]!
    if (level === 'constant' || level === 'state') {
      throw new TlaError(
        'semantics',
        `${textOf(term.at)} restricts the states of the specification: add it to the initial predicate and the ` +
          'next-state relation, or name it as a CONSTRAINT; to check it, name it as an INVARIANT',
        term.at,
      )
    }
  }
  if (term.level === 'action') {
    throw new TlaError(
      'semantics',
      'write the steps as `[][Next]_vars`: an action without `[]` constrains the first step only',
      term.at,
    )
  }
  parts.temporal.push(textOf(term.at))
}

/** The `[A]_v` that a term is or refers to. */
export function boxedAction(compiler: Compiler, scoped: Scoped): Scoped | undefined {
  if (scoped.term.kind === 'action') return scoped.term.shape === 'square' ? scoped : undefined
  const inner = unfolded(compiler, scoped)
  return inner && boxedAction(compiler, inner)
}

/** What a name, a call of an operator, a LET or a label stands for; undefined for other terms. */
export function unfolded(compiler: Compiler, { term, scope }: Scoped): Scoped | undefined {
  switch (term.kind) {
    case 'label':
      return { term: term.body, scope }
    case 'let':
      return { term: term.body, scope: letScope(term.definitions, scope, false).scope }
    case 'reference': {
      const resolved = resolve(compiler, term, scope)
      if (resolved.kind === 'binding') {
        const { binding } = resolved
        return binding.kind === 'closed' ? { term: binding.term, scope: binding.scope } : undefined
      }
      const { definition } = resolved
      if (!isPlainDefinition(definition)) return undefined
      // Arguments are not cached: nothing would clear them between states.
      const inner = expand(definition.parameters, resolved.scope, term.arguments, scope, false)
      return { term: definition.body, scope: inner.scope }
    }
    default:
      return undefined
  }
}

/** The next-state relation without stuttering: A of `[A]_v`, since stuttering finds no new state. */
export function withoutStuttering(next: readonly Scoped[]): readonly Scoped[] {
  const [only] = next
  if (next.length === 1 && only!.term.kind === 'action') return [{ term: only!.term.action, scope: only!.scope }]
  return next
}
