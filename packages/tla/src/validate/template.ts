/**
 * Data with places to fill in from an entry of a log: `$.node` is what stands there in the entry.
 *
 *     "$.node"                  the data at node; `$` is the whole entry, `$.peers[0]`, `$["a b"]` are parts
 *     "commit[$.node]"          in the key of an observation: the text of it
 *     {"$tla": "$.index - 1"}   in an expression: the value
 *
 * What an entry does not have leaves the parameter unknown, or the observation out.
 */
import type { Machine } from '../evaluate/machine.ts'
import { Filled, fromData } from '../follow/from-data.ts'
import { printValue } from '../values/print.ts'
import type { Value } from '../values/value.ts'
import { type ExpressionTemplate, expressionOf, plainExpression } from './expression.ts'

/** An entry has nothing at a place. */
export const MISSING = Symbol('missing')

const WHOLE = /^\$(?:\.[A-Za-z_]\w*|\[\d+\]|\["[^"]*"\])*$/
const PLACES = /\$(?:\.[A-Za-z_]\w*|\[\d+\]|\["[^"]*"\])+/g
/** Of no more than 32 bits, or nearly: longer ones are texts wherever they come from. */
const NUMBER = /^-?\d{1,10}$/
const STEPS = /\.([A-Za-z_]\w*)|\[(\d+)\]|\["([^"]*)"\]/g

/** Whether a text is a place, and nothing else; `$` is the whole entry. */
export function isPlace(text: string): boolean {
  return WHOLE.test(text)
}

export class Template {
  readonly #machine: Machine
  readonly #values: Readonly<Record<string, unknown>>
  /** By place, where more words are meant than everywhere. */
  readonly #ownValues = new Map<string, Readonly<Record<string, unknown>>>()
  /** The places that were asked for, and those of them at which some entry had something. */
  readonly #asked = new Set<string>()
  readonly #found = new Set<string>()

  /** Places where numbers stand as texts. */
  readonly #numbers: ReadonlySet<string>

  /**
   * @param values what stands for data of the log, by its text; by places, what does so only there
   * @param numbers places where whole numbers stand as texts
   */
  constructor(machine: Machine, values: Readonly<Record<string, unknown>>, numbers: readonly string[] = []) {
    this.#machine = machine
    this.#values = values
    this.#numbers = new Set(numbers)
    for (const [place, own] of Object.entries(values)) {
      if (WHOLE.test(place)) this.#ownValues.set(place, { ...values, ...(own as Readonly<Record<string, unknown>>) })
    }
  }

  /** The places that no entry had: a slip in the map, most likely. */
  get neverFound(): readonly string[] {
    return [...this.#asked].filter((place) => !this.#found.has(place))
  }

  /** What stands at a place, as the log has it. */
  at(place: string, entry: unknown): unknown {
    this.#asked.add(place)
    let data = entry
    for (const [, field, index, quoted] of place.matchAll(STEPS)) {
      const key = field ?? quoted ?? index!
      if (typeof data !== 'object' || data === null || !Object.hasOwn(data, key)) return MISSING
      data = (data as Record<string, unknown>)[key]
    }
    this.#found.add(place)
    return data
  }

  /** Fills a template in; `MISSING` if anything of it is. @throws Error for what looks like a place and is none */
  fill(template: unknown, entry: unknown): unknown {
    if (typeof template === 'string') {
      if (WHOLE.test(template)) return this.translated(template, entry)
      if (/^\$[.[]/.test(template))
        throw new Error(`'${template}' is no place: names of other forms stand as in $["node-id"]`)
      return template
    }
    if (typeof template !== 'object' || template === null) return template
    if (Array.isArray(template)) {
      const items = template.map((item) => this.fill(item, entry))
      return items.includes(MISSING) ? MISSING : items
    }
    const filled: Record<string, unknown> = {}
    for (const [key, item] of Object.entries(template)) {
      const value = key === '$tla' && typeof item === 'string' ? this.expression(item, entry) : this.fill(item, entry)
      if (value === MISSING) return MISSING
      filled[key] = value
    }
    return filled
  }

  /** An expression with values filled in; where none are, its text. */
  expression(text: string, entry: unknown): string | Filled | typeof MISSING {
    const template = this.expressionTemplate(text, entry)
    if (template === MISSING || template.names.length === 0) return template === MISSING ? MISSING : text
    return new Filled(template.filled, () => expressionOf(this.#machine, template).evaluate())
  }

  /** An expression with the places as names of values: compiled once, for all entries. */
  expressionTemplate(text: string, entry: unknown): ExpressionTemplate | typeof MISSING {
    const values: Value[] = []
    const names: string[] = []
    const filled = this.#replaced(text, entry, (data) => {
      const value = fromData(this.#machine, data, `what is filled into '${text}'`)
      values.push(value)
      names.push(`place__${names.length + 1}`)
      return printValue(value)
    })
    if (filled === MISSING) return MISSING
    let at = 0
    return { text: text.replace(PLACES, () => names[at++]!), names, values, filled }
  }

  /** The key of an observation: texts are filled into the path of a variable, values into an expression. */
  key(text: string, isPath: boolean, entry: unknown): ExpressionTemplate | typeof MISSING {
    if (!isPath) return this.expressionTemplate(text, entry)
    const path = this.#replaced(text, entry, (data) => (typeof data === 'string' ? data : JSON.stringify(data)))
    return path === MISSING ? MISSING : plainExpression(path)
  }

  #replaced(text: string, entry: unknown, textOf: (data: unknown) => string): string | typeof MISSING {
    let isMissing = false
    const filled = text.replace(PLACES, (place) => {
      const data = this.translated(place, entry)
      if (data === MISSING) isMissing = true
      return data === MISSING ? '' : textOf(data)
    })
    return isMissing ? MISSING : filled
  }

  /** What stands at a place, in the words of the specification. */
  translated(place: string, entry: unknown): unknown {
    const data = this.at(place, entry)
    if (data === MISSING) return MISSING
    const word = translated(data, this.#ownValues.get(place) ?? this.#values)
    return typeof word === 'string' && this.#numbers.has(place) && NUMBER.test(word) ? Number(word) : word
  }
}

/** A text with a letter in place of each place to fill in: to see what it is otherwise. */
export function withoutPlaces(text: string): string {
  return text.replace(PLACES, 'x')
}

/** Data of a log in the words of the specification. */
export function translated(data: unknown, values: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(data)) return data.map((item) => translated(item, values))
  if (typeof data === 'object' && data !== null) {
    return Object.fromEntries(
      Object.entries(data).map(([key, item]) => {
        const word = Object.hasOwn(values, key) ? values[key] : undefined
        return [typeof word === 'string' ? word : key, translated(item, values)]
      }),
    )
  }
  const text = String(data)
  return Object.hasOwn(values, text) ? values[text] : data
}
