/**
 * What becomes of the text of a file before anything is known of other files: the JavaScript of it, its
 * format, and how it is rewritten.
 *
 * Invariant: plain data, and a function of the text, the kind of the file, the kind of its build and, where
 * they were asked for, the options of its tsconfig.json. So it can be kept between processes; errors are
 * not. Positions, and numbers that a process gives, come in later (`template.ts`).
 */
import { extname } from 'node:path'
import { type CommonJsText, commonJsText, isRewritten } from './commonjs-code.ts'
import { instrumentation, isUserCode } from './coverage.ts'
import { type DraftText, draftText, type Instrument } from './esm-code.ts'
import { detectFormat } from './format.ts'
import { isCompiled, javaScriptOf } from './javascript.ts'
import type { JavaScript } from './oxc.ts'
import { showWritten } from './positions.ts'
import { scopeWriter } from './sharing/scope-writer.ts'
import { MODULE } from './template.ts'
import { type CompilerOptions, compilerOptionsOf } from './tsconfig.ts'

/** Keeps what takes long to make, also between processes. */
export interface Cache {
  /**
   * A value that was kept, or else a new one.
   *
   * @param key of what the value is a function of, besides norn and Node
   * @param make returns plain data, or throws
   * @param holds whether a value that was kept still holds; what does not hold is not kept
   */
  cached<Value>(key: readonly string[], make: () => Value, holds?: (value: Value) => boolean): Value
}

/** What is inserted into a text. */
export type Build = 'plain' | 'counted' | 'traced' | `${'plain' | 'counted' | 'traced'} with scopes`

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
  /** The options of tsconfig.json, if they played a part. */
  readonly options: string | undefined
  /** Whether a compiler of the project had a part in it. */
  readonly isForeign: boolean
}

const counted: Instrument = (text, stem, fill) => instrumentation(text, stem, fill, false)
const traced: Instrument = (text, stem, fill) => instrumentation(text, stem, fill, true)

/** Inserts what makes scopes readable, and what else there is: both in one walk, so that they nest. */
function withScopes(other?: Instrument): Instrument {
  return (text, stem, fill) => {
    const scopes = scopeWriter(text, stem, fill(MODULE))
    const others = other?.(text, stem, fill)
    return {
      visit(node, ancestors) {
        scopes.visit(node)
        return others?.visit(node, ancestors)
      },
      done: () => ({ ...others?.done(), isOpaque: scopes.isOpaque() }),
    }
  }
}

const INSTRUMENTS: Readonly<Record<Build, Instrument | undefined>> = {
  plain: undefined,
  counted,
  traced,
  'plain with scopes': withScopes(),
  'counted with scopes': withScopes(counted),
  'traced with scopes': withScopes(traced),
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
  cache: Cache | undefined,
): Transformed {
  const make = () => made(text, path, named, build)
  if (cache === undefined || runsAsItIs(text, path, named, build)) return make()
  const key = ['transform', named, build, extname(path), isUserCode(path) ? 'user' : 'package', text]
  return cache.cached(
    key,
    make,
    ({ options, isForeign }) => !isForeign && (options === undefined || options === optionsText(path)),
  )
}

/** Whether a text is a CommonJS module that runs unchanged: to compile it takes no longer than to read it. */
function runsAsItIs(text: string, path: string, named: Transformed['format'] | 'detect', build: Build): boolean {
  if (build !== 'plain' || named === 'module' || isCompiled(path) || isRewritten(text, path)) return false
  return named === 'commonjs' || detectFormat(text, path) === 'commonjs'
}

function made(text: string, path: string, named: Transformed['format'] | 'detect', build: Build): Transformed {
  let options: string | undefined
  const optionsOf = (file: string): CompilerOptions => {
    options = optionsText(file)
    return compilerOptionsOf(file)
  }
  const javaScript: JavaScript = build.startsWith('traced') ? { code: text } : javaScriptOf(text, path, optionsOf)
  const { code, map: written, isForeign = false } = javaScript
  try {
    const format = named === 'detect' ? detectFormat(code, path) : named
    const instrument = instrumentOf(build)
    const module = format === 'module' ? draftText(code, path, instrument, optionsOf) : undefined
    const commonJs = format === 'commonjs' ? commonJsText(code, path, instrument) : undefined
    return { format, code: code === text ? undefined : code, written, module, commonJs, options, isForeign }
  } catch (error) {
    showWritten(error, path, { written, source: written === undefined ? code : text })
    throw error
  }
}

function optionsText(path: string): string {
  try {
    return JSON.stringify(compilerOptionsOf(path))
  } catch {
    return 'unreadable'
  }
}
