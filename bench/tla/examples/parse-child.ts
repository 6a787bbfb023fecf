/**
 * A process that parses: one line of JSON a text, `{ path, text }`, answered by one line of JSON. A
 * parser that hangs or crashes ends this process alone.
 */
import { createInterface } from 'node:readline'
import { TlaError } from '../../../packages/tla/src/error/error.ts'
import { parseModule } from '../../../packages/tla/src/syntax/parse.ts'

/** The result as seen from inside the process. */
export type Answer =
  | { readonly result: 'parsed' }
  /** Refused with a place, as it should be. */
  | { readonly result: 'refused'; readonly message: string }
  /** An error of another kind, or without a place in the text. */
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
