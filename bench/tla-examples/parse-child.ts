/**
 * A process that parses what it is sent: a line of JSON a text, `{ path, text }`, answered by a line of JSON.
 *
 * It stands apart so that a parser which hangs, or takes the process with it, stops nobody but itself.
 */
import { createInterface } from 'node:readline'
import { TlaError } from '../../packages/tla/src/error.ts'
import { parseModule } from '../../packages/tla/src/syntax/parse.ts'

/** What parsing came to, from the inside; from the outside it may also hang or crash. */
export type Answer =
  | { readonly result: 'parsed' }
  /** Refused as it should be: with a place. */
  | { readonly result: 'refused'; readonly message: string }
  /** An error of another kind, or one that has no place in the text. */
  | { readonly result: 'crashed'; readonly message: string }

for await (const line of createInterface({ input: process.stdin })) {
  const { path, text } = JSON.parse(line)
  console.log(JSON.stringify(answer(path, text)))
}

function answer(path: string, text: string): Answer {
  try {
    parseModule({ path, text })
    return { result: 'parsed' }
  } catch (error) {
    if (!(error instanceof TlaError)) return { result: 'crashed', message: String((error as Error).stack ?? error) }
    const lines = text.split(/\r\n|\n|\r/).length
    const { at } = error
    const hasPlace = at !== undefined && at.line >= 1 && at.line <= lines && at.column >= 1
    return { result: hasPlace ? 'refused' : 'crashed', message: error.describe() }
  }
}
