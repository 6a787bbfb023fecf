/**
 * `import()` in code that a program compiles while it runs: `eval`, `new Function`, and `vm` with
 * Node's default loader. Such code is not rewritten, so V8 asks Node's loader; here Node's loader
 * asks the instance that runs.
 *
 * Invariant: code compiled with `BY_LOADER` asks for the file that it was compiled for, and code
 * that it evaluates inherits this. Written against lib/internal/modules/esm of Node 22 to 26.
 */
import { internalBinding, requireInternal } from './internals.ts'

/** For `importModuleDynamically` of `vm.compileFunction`: Node's loader resolves the imports. */
export const BY_LOADER = internalBinding<Record<string, never>>('symbols').vm_dynamic_import_default_internal!

export interface EvaluatedImport {
  readonly specifier: string
  /** The URL of the importing file; undefined for a script without one. */
  readonly importer: string | undefined
  readonly attributes: Readonly<Record<string, string>>
  /** `import.source()`. */
  readonly source: boolean
}

/** Returns undefined for an import that is not of the program. */
type Answer = (asked: EvaluatedImport) => Promise<object> | undefined

interface NodeLoader {
  import(specifier: string, importer: string | undefined, attributes: object, phase?: unknown): Promise<object>
}

/** The phase of `import.source()`, in Node versions that have it. */
const SOURCE_PHASE = 1

let answer: Answer | undefined

/** Passes the imports of evaluated code to the instance that runs now. */
export function answerEvaluatedImports(by: Answer): void {
  if (answer === undefined) intercept()
  answer = by
}

function intercept(): void {
  const loader = requireInternal<{ getOrInitializeCascadedLoader(): NodeLoader }>(
    'internal/modules/esm/loader',
  ).getOrInitializeCascadedLoader()
  const native = loader.import
  loader.import = function (specifier, importer, attributes, ...rest) {
    const source = rest[0] === SOURCE_PHASE
    const mine = answer!({ specifier, importer, attributes: { ...attributes }, source })
    return mine ?? Reflect.apply(native, this, [specifier, importer, attributes, ...rest])
  }
}
