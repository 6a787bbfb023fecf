/**
 * What becomes of the text of a file before anything is known of other files: the JavaScript of it, its
 * format, and how it is rewritten.
 *
 * Invariant: plain data, and a function of the text, the kind of the file, the kind of its build and, where
 * they play a part, the options of its tsconfig.json. The place of the file, and the numbers that a process
 * gives, come in later (`template.ts`).
 */
import { type CommonJsText, commonJsText } from './commonjs-code.ts'
import { instrumentation } from './coverage.ts'
import { type DraftText, draftText, type Instrument } from './esm-code.ts'
import { detectFormat } from './format.ts'
import { javaScriptOf } from './javascript.ts'
import type { JavaScript } from './oxc.ts'
import { showWritten } from './positions.ts'

/** What is inserted into a text. */
export type Build = 'plain' | 'counted' | 'traced'

export interface Transformed {
  readonly format: 'module' | 'commonjs'
  /** Unset if it is the text. */
  readonly code: string | undefined
  /** Source map (JSON) from the code to the text, where positions moved. */
  readonly written: string | undefined
  /** The text of an ES module. */
  readonly module: DraftText | undefined
  /** The text of a CommonJS module; undefined if it runs as it is. */
  readonly commonJs: CommonJsText | undefined
}

const INSTRUMENTS: Readonly<Record<Build, Instrument | undefined>> = {
  plain: undefined,
  counted: (text, stem, fill) => instrumentation(text, stem, fill, false),
  traced: (text, stem, fill) => instrumentation(text, stem, fill, true),
}

export const instrumentOf = (build: Build): Instrument | undefined => INSTRUMENTS[build]

/**
 * Transforms the text of a file.
 *
 * @param text of the file; for a tracing build, the JavaScript of it
 * @param named its format by its name; 'detect' if the text decides
 */
export function transform(
  text: string,
  path: string,
  named: Transformed['format'] | 'detect',
  build: Build,
): Transformed {
  const { code, map: written }: JavaScript = build === 'traced' ? { code: text } : javaScriptOf(text, path)
  try {
    const format = named === 'detect' ? detectFormat(code, path) : named
    const instrument = instrumentOf(build)
    const module = format === 'module' ? draftText(code, path, instrument) : undefined
    const commonJs = format === 'commonjs' ? commonJsText(code, path, instrument) : undefined
    return { format, code: code === text ? undefined : code, written, module, commonJs }
  } catch (error) {
    showWritten(error, path, { written, source: written === undefined ? code : text })
    throw error
  }
}
