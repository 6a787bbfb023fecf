/**
 * Reads histories in JSON: objects with the members `process`, `type`, `f` and `value`, one a line
 * or in one array.
 *
 * Not JSON.parse: its errors name no place, and it rounds integers that a number cannot hold. They
 * become their text here.
 */
import type { HistoryEvent } from '../history/event.ts'
import { numberOf } from './edn.ts'
import { type EventFields, eventOf } from './event-fields.ts'
import { FormReader } from './form-reader.ts'

const QUOTE = 34
const COMMA = 44
const COLON = 58
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

const FIELDS: ReadonlySet<string> = new Set<keyof EventFields>(['process', 'type', 'f', 'key', 'value'])

export class JsonReader extends FormReader {
  protected override readonly format: string = 'JSON'
  protected override readonly isCommaNeeded = true

  protected override skip(): void {
    const { text } = this
    for (; this.at < text.length; this.at++) {
      const code = text.charCodeAt(this.at)
      if (code === 10) {
        this.line++
        this.lineStart = this.at + 1
      } else if (code !== 32 && code !== 9 && code !== 13) return
    }
  }

  protected override event(): HistoryEvent | undefined {
    if (this.peek() !== 123)
      this.fail(
        `expected an event, an object such as {"process":0,"type":"invoke","f":"read","value":null}, found ${this.found()}`,
      )
    const { line } = this
    const fields: EventFields = { process: undefined, type: undefined, f: undefined, key: undefined, value: undefined }
    this.#members((name) => {
      if (FIELDS.has(name)) fields[name as keyof EventFields] = this.#value()
      else this.#value()
    })
    return eventOf(fields, line)
  }

  #members(member: (name: string) => void): void {
    this.open('{')
    this.skip()
    if (this.closes()) return
    for (;;) {
      // The next event, after one that is not closed.
      if (this.peek() === 123) this.failOpen()
      if (this.peek() !== QUOTE) this.fail(`expected a name in quotes, found ${this.found()}`)
      const name = this.string()
      this.skip()
      if (this.peek() !== COLON) this.fail(`expected \`:\` behind "${name}", found ${this.found()}`)
      this.at++
      this.skip()
      member(name)
      if (!this.#isFollowed()) return
    }
  }

  /** Whether a comma and a further element come; else passes over the closing bracket. */
  #isFollowed(): boolean {
    this.skip()
    if (this.peek() === COMMA) {
      this.at++
      this.skip()
      return true
    }
    if (this.closes()) return false
    if (this.peek() === 123) this.failOpen()
    return this.fail(`expected \`,\` or a closing bracket, found ${this.found()}`)
  }

  #value(): unknown {
    switch (this.peek()) {
      case QUOTE:
        return this.string()
      case 91:
        return this.#elements()
      case 123: {
        const entries: [string, unknown][] = []
        this.#members((name) => entries.push([name, this.#value()]))
        return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
      }
    }
    return this.smallInteger() ?? this.#literal()
  }

  #elements(): unknown[] {
    const begin = this.elementsBegin()
    this.open('[')
    this.skip()
    if (this.closes()) return []
    do this.element(this.#value())
    while (this.#isFollowed())
    return this.elementsFrom(begin)
  }

  #literal(): unknown {
    const begin = this.at
    const end = this.tokenEnd()
    const text = this.text.slice(begin, end)
    const value = text === 'null' ? null : text === 'true' ? true : text === 'false' ? false : undefined
    if (value === undefined && !NUMBER.test(text)) this.fail(`expected a value, found ${this.found()}`)
    this.at = end
    return value === undefined ? numberOf(text) : value
  }
}
