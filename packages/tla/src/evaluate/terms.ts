/** Walks terms: their parts, and their references to symbols bound outside. */
import type { Argument, Binder, InstanceSymbol, Term } from '../semantics/term.ts'

/** The terms of given kinds. */
export type TermOf<Kind extends Term['kind'], Each extends Term = Term> = Each extends Term
  ? Kind extends Each['kind']
    ? Each
    : never
  : never

/** A name with its arguments. */
export type Reference = TermOf<'reference'>

type Part = Argument

/** The direct subterms; the body of a definition is not one of its references. */
export function parts(term: Part): readonly Part[] {
  switch (term.kind) {
    case 'number':
    case 'boolean':
    case 'string':
    case 'builtin set':
      return []
    case 'operator':
    case 'label':
      return [term.body]
    case 'reference':
      return [...term.through.flatMap((step) => step.arguments), ...term.arguments]
    case 'primitive':
      return term.arguments
    case 'and':
    case 'or':
    case 'set':
    case 'tuple':
    case 'product':
      return term.items
    case 'filter':
      return [term.binder.set, term.body]
    case 'map':
    case 'function':
    case 'recursive function':
    case 'quantifier':
      return [...term.binders.map((binder: Binder) => binder.set), term.body]
    case 'function set':
      return [term.domain, term.range]
    case 'application':
      return [term.function, ...term.arguments]
    case 'record':
    case 'record set':
      return term.fields.map(({ value }) => value)
    case 'field':
      return [term.record]
    case 'except':
      return [
        term.function,
        ...term.updates.flatMap(({ path, value }) => [
          ...path.flatMap((step) => (step.kind === 'index' ? step.arguments : [])),
          value,
        ]),
      ]
    case 'unbounded quantifier':
      return [term.body]
    case 'choose':
      return term.set === undefined ? [term.body] : [term.set, term.body]
    case 'if':
      return [term.condition, term.then, term.else]
    case 'case':
      return [
        ...term.arms.flatMap(({ condition, body }) => [condition, body]),
        ...(term.other === undefined ? [] : [term.other]),
      ]
    case 'let':
      return [...term.definitions.map(({ body }) => body), term.body]
    case 'action':
    case 'fairness':
      return [term.action, term.subscript]
  }
}

/** Visits a term and all its subterms. */
function walk(term: Part, visit: (part: Part) => void): void {
  const left: Part[] = [term]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    visit(next)
    left.push(...parts(next))
  }
}

const nested = new WeakMap<InstanceSymbol, boolean>()

/** Whether an instance's substitutions refer to symbols bound around it, as in a LET. */
export function isNestedInstance(instance: InstanceSymbol): boolean {
  let known = nested.get(instance)
  if (known === undefined) {
    known = refersOutwards(instance)
    nested.set(instance, known)
  }
  return known
}

function refersOutwards(instance: InstanceSymbol): boolean {
  const [own, used] = [new Set<unknown>(instance.parameters), new Set<unknown>()]
  for (const argument of instance.substitutions.values()) {
    walk(argument, (part) => {
      if (part.kind === 'operator') for (const symbol of part.parameters) own.add(symbol)
      else if (part.kind === 'reference') {
        const { symbol } = part
        if (symbol.kind === 'bound' || (symbol.kind === 'definition' && symbol.isNested)) used.add(symbol)
      } else for (const symbol of boundBy(part)) own.add(symbol)
    })
  }
  for (const symbol of used) if (!own.has(symbol)) return true
  return false
}

/** The symbols that a term binds in its subterms. */
function boundBy(term: Term): readonly unknown[] {
  switch (term.kind) {
    case 'filter':
      return term.binder.symbols
    case 'map':
    case 'function':
    case 'quantifier':
      return term.binders.flatMap(({ symbols }) => symbols)
    case 'recursive function':
      return [term.self, ...term.binders.flatMap(({ symbols }) => symbols)]
    case 'choose':
    case 'unbounded quantifier':
      return term.symbols
    case 'except':
      return term.updates.map(({ self }) => self)
    case 'let':
      return [...term.definitions, ...term.definitions.flatMap(({ parameters }) => parameters)]
    default:
      return []
  }
}
