/**
 * The named actions of a next-state relation, to report those that an execution never takes.
 *
 * `Next == \E s \in Servers : Timeout(s) \/ Receive(s)` with `Receive(s) == \E m \in inbox :
 * HandleVote(s, m) \/ …` has the actions Timeout, HandleVote and so on: a definition that only
 * chooses between others does not count. One of several conjuncts about the next state is a part of
 * an action, and is not searched.
 */
import type { Term } from '../semantics/term.ts'

const MAX_VISITS = 20_000

/** The names in the order of the relation; actions of instances as `I!Act`. */
export function stepActions(relation: Term | undefined): readonly string[] {
  const names = new Set<string>()
  if (relation !== undefined) collect(relation, undefined, names, { visits: 0, within: new Set() })
  return [...names]
}

interface Search {
  visits: number
  /** Definitions that are being searched. */
  readonly within: Set<object>
}

/** @param around the enclosing definition that could be an action */
function collect(term: Term, around: string | undefined, names: Set<string>, search: Search): void {
  if (search.visits++ > MAX_VISITS) return
  if (term.kind === 'reference' && choosesBetween(term)) enter(term, around, names, search)
  else {
    const choices = choicesOf(term)
    for (const choice of choices) collect(choice, around, names, search)
    if (choices.length === 0 && around !== undefined) names.add(around)
  }
}

function enter(
  { symbol, through }: Extract<Term, { kind: 'reference' }>,
  around: string | undefined,
  names: Set<string>,
  search: Search,
): void {
  if (symbol.kind !== 'definition' || symbol.isRecursive || search.within.has(symbol)) return
  const path = through.map(({ instance, arguments: given }) => (given.length > 0 ? undefined : instance.name))
  // Definitions in a LET or in an instance with parameters cannot be named from outside.
  const hasName = !symbol.isNested && !path.includes(undefined) && symbol.parameters.every(({ arity }) => arity === 0)
  search.within.add(symbol)
  collect(symbol.body, hasName ? [...path, symbol.name].join('!') : around, names, search)
  search.within.delete(symbol)
}

/** The alternatives of a term; empty if the term is an action itself. */
function choicesOf(term: Term): readonly Term[] {
  switch (term.kind) {
    case 'quantifier':
      return term.name === '\\E' ? [term.body] : []
    case 'or':
      return term.items
    case 'and': {
      const actions = term.items.filter(({ level }) => level === 'action')
      // The only conjunct about the next state, if it chooses between actions.
      return actions.length === 1 && choosesBetween(actions[0]!) ? actions : []
    }
    case 'if':
      return choosesBetween(term.then) || choosesBetween(term.else) ? [term.then, term.else] : []
    case 'case': {
      const bodies = [...term.arms.map(({ body }) => body), ...(term.other === undefined ? [] : [term.other])]
      return bodies.some(choosesBetween) ? bodies : []
    }
    case 'let':
    case 'label':
      return [term.body]
    case 'action':
      return [term.action]
    default:
      return []
  }
}

/** Whether a term consists of references to actions: alone, quantified or in a disjunction. */
function choosesBetween(term: Term): boolean {
  switch (term.kind) {
    case 'reference':
      return term.symbol.kind === 'definition' && term.symbol.level === 'action'
    case 'quantifier':
      return term.name === '\\E' && choosesBetween(term.body)
    case 'or':
      return term.items.some(choosesBetween)
    case 'let':
    case 'label':
      return choosesBetween(term.body)
    default:
      return false
  }
}
