/**
 * Expressions of a mapper that contain values of the log:
 *
 *     where: tla`Len(m.entries) = ${line.count}`
 *     parameters: [line.node, tla`${line.index} - 1`]
 *
 * The same expression recurs in thousands of lines with other data. So the values are parameters of
 * the expression, which is compiled once.
 */
import type { Machine } from '../evaluate/machine.ts'
import { Filled, fromData } from '../follow/from-data.ts'
import { printValue } from '../values/print.ts'
import { type ExpressionTemplate, expressionOf, plainExpression } from './expression.ts'

/**
 * A TLA+ expression in the data of an event. Made by `tla`.
 *
 * @public
 */
export class TlaExpression {
  readonly #texts: readonly string[]
  readonly #values: readonly unknown[]

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.#texts = texts
    this.#values = values
  }

  /** The text for messages. */
  toJSON(): string {
    return this.#with(this.#values.map((value) => JSON.stringify(value) ?? String(value)))
  }

  /** The expression with names for its values. @throws DataError for a value unknown to TLA+ */
  template(machine: Machine): ExpressionTemplate {
    const text = this.toJSON()
    if (this.#values.length === 0) return plainExpression(text)
    const values = this.#values.map((value) => fromData(machine, value, `a value in '${text}'`))
    const names = values.map((_, at) => `place__${at + 1}`)
    return { text: this.#with(names), names, values, filled: this.#with(values.map(printValue)) }
  }

  /** As data, evaluated in the state where it is used. */
  data(machine: Machine): { readonly $tla: string | Filled } {
    const template = this.template(machine)
    if (template.names.length === 0) return { $tla: template.text }
    return { $tla: new Filled(template.filled, () => expressionOf(machine, template).evaluate()) }
  }

  #with(values: readonly string[]): string {
    return this.#texts.map((text, at) => text + (values[at] ?? '')).join('')
  }
}

/**
 * A TLA+ expression that contains values of the log.
 *
 * @public
 */
export function tla(texts: TemplateStringsArray, ...values: readonly unknown[]): TlaExpression {
  return new TlaExpression(texts.raw, values)
}
