/**
 * Redis' protocol (RESP 2 and 3): where values end, and what they say.
 * https://redis.io/docs/latest/develop/reference/protocol-spec/
 */

/** Values kept whole until their end has come. */
export class Values {
  #rest: Buffer = Buffer.alloc(0)

  /** Takes bytes; returns the values that they complete. */
  take(bytes: Uint8Array): Buffer[] {
    this.#rest = this.#rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#rest, bytes])
    const values: Buffer[] = []
    for (;;) {
      const end = endOf(this.#rest, 0)
      if (end < 0) return values
      values.push(this.#rest.subarray(0, end))
      this.#rest = this.#rest.subarray(end)
    }
  }
}

/** Aggregates by their types, with the values that each of their entries has. */
const AGGREGATES: Readonly<Record<string, number>> = { '*': 1, '~': 1, '>': 1, '%': 2, '|': 2 }
const STRINGS = '$=!'

/** Where a value ends; -1 if that is not there yet. A line that begins otherwise is an inline command. */
function endOf(buffer: Buffer, from: number): number {
  const line = buffer.indexOf('\r\n', from)
  if (from >= buffer.length || line < 0) return -1
  const type = String.fromCharCode(buffer[from]!)
  const next = line + 2
  const factor = AGGREGATES[type]
  if (factor === undefined && !STRINGS.includes(type)) return next
  const length = Number(buffer.toString('latin1', from + 1, line))
  if (factor === undefined) {
    const end = length < 0 ? next : next + length + 2
    return end <= buffer.length ? end : -1
  }
  let at = next
  for (let left = length * factor; left > 0 && at >= 0; left--) at = endOf(buffer, at)
  // Attributes are followed by the value that they are of.
  return type === '|' && at >= 0 ? endOf(buffer, at) : at
}

/** The words of a command, which is an array of strings or a line. */
export function words(command: Buffer): Buffer[] {
  if (command[0] !== 42) {
    const line = command.toString('latin1').trim()
    return line === '' ? [] : line.split(/\s+/).map((word) => Buffer.from(word, 'latin1'))
  }
  const found: Buffer[] = []
  let at = command.indexOf('\r\n') + 2
  while (at < command.length) {
    const line = command.indexOf('\r\n', at)
    const length = Number(command.toString('latin1', at + 1, line))
    found.push(command.subarray(line + 2, line + 2 + length))
    at = line + 2 + length + 2
  }
  return found
}

/** A command of these words. */
export function command(...parts: readonly (string | Buffer)[]): Buffer {
  const encoded = parts.flatMap((part) => [
    Buffer.from(`$${Buffer.byteLength(part)}\r\n`),
    Buffer.from(part as string),
    CRLF,
  ])
  return Buffer.concat([Buffer.from(`*${parts.length}\r\n`), ...encoded])
}

const CRLF = Buffer.from('\r\n')

/** A value in words: `1`, `OK`, `(nil)`, `[a, b]`. */
export function valueText(value: Buffer): string {
  return textOf(value, 0)[0]
}

/** Characters of a string and values of an array that are shown. */
const MAX_TEXT = 60
const MAX_VALUES = 6

function textOf(buffer: Buffer, from: number): [text: string, end: number] {
  const line = buffer.indexOf('\r\n', from)
  const [type, head] = [String.fromCharCode(buffer[from]!), buffer.toString('utf8', from + 1, line)]
  const next = line + 2
  if (STRINGS.includes(type)) {
    const length = Number(head)
    return length < 0 ? ['(nil)', next] : [wordText(buffer.subarray(next, next + length)), next + length + 2]
  }
  const factor = AGGREGATES[type]
  if (factor === undefined) return [type === '-' ? `ERROR ${head}` : type === '_' ? '(nil)' : head, next]
  const texts: string[] = []
  let at = next
  for (let left = Number(head) * factor; left > 0; left--) {
    const [text, end] = textOf(buffer, at)
    texts.push(text)
    at = end
  }
  if (Number(head) < 0) return ['(nil)', at]
  const more = texts.length > MAX_VALUES ? [`${texts.length - MAX_VALUES} more`] : []
  return [`[${[...texts.slice(0, MAX_VALUES), ...more].join(', ')}]`, at]
}

/** A word of a command or an answer. */
export function wordText(word: Buffer): string {
  const text = word.toString('utf8', 0, 4 * MAX_TEXT)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these make bytes no text
  if (/[\0-\x08\x0e-\x1f\ufffd]/.test(text)) return `(${word.length} bytes)`
  const inLine = text.replace(/\s+/g, ' ')
  return inLine.length > MAX_TEXT ? `${inLine.slice(0, MAX_TEXT)}…` : inLine
}
