/**
 * TypeScript, JSX and TypeScript's own decorators to JavaScript, by Oxc, as tsconfig.json says.
 *
 * Invariant: syntax of JavaScript stays as it is, so a program runs as Node would run it. Standard
 * decorators stay, too (see `decorators.ts`).
 */
import type { OxcError, TransformOptions } from 'oxc-transform'
import { hostRequire } from './internals.ts'
import { placeAt, sourceError } from './source-error.ts'
import type { CompilerOptions, OptionsOf } from './tsconfig.ts'

export interface JavaScript {
  readonly code: string
  /** Source map (JSON) from `code` to the file, where positions moved. */
  readonly map?: string | undefined
  /** Whether the project's own compiler made it. */
  readonly isForeign?: boolean
}

/** Where Oxc's output finds its helper functions; a dependency of norn, not of the program. */
const HELPERS = '@oxc-project/runtime/'

/** The path of a helper function that transformed code imports. */
export function helperPath(specifier: string): string | undefined {
  return specifier.startsWith(HELPERS) ? hostRequire.resolve(specifier) : undefined
}

/** Loaded at first use: erasable TypeScript does not need it. */
const oxc = (): typeof import('oxc-transform') => hostRequire('oxc-transform')

export function transformSource(source: string, path: string, optionsOf: OptionsOf): JavaScript {
  const options = { ...transformOptions(optionsOf(path), source), sourcemap: true }
  const { code, map, errors } = oxc().transformSync(path, source, options)
  const error = errors.find(({ severity }) => severity === 'Error')
  if (error !== undefined) throw explain(error, source, path)
  return { code, map: JSON.stringify(map) }
}

function transformOptions(options: CompilerOptions, source: string): TransformOptions {
  const { experimentalDecorators: legacy = false, emitDecoratorMetadata = false } = options
  const assigns = (legacy || DEFINITE_FIELD.test(source)) && assignsFields(options)
  const pragma = options.jsxFactory ?? 'React.createElement'
  return {
    target: 'esnext',
    decorator: {
      legacy,
      emitDecoratorMetadata,
      strictNullChecks: options.strictNullChecks ?? options.strict ?? false,
    },
    jsx:
      options.jsx === 'react'
        ? { runtime: 'classic', pragma, pragmaFrag: options.jsxFragmentFactory ?? 'React.Fragment' }
        : { runtime: 'automatic', importSource: options.jsxImportSource ?? 'react' },
    typescript: {
      jsxPragma: pragma.split('.')[0]!,
      onlyRemoveTypeImports: options.verbatimModuleSyntax ?? false,
      removeClassFieldsWithoutInitializer: assigns,
    },
    assumptions: { setPublicClassFields: assigns },
  }
}

/** A field that has but a type, which would hide what its class inherits if it were defined. */
const DEFINITE_FIELD = /^[ \t]+(?:(?:public|private|protected|readonly|override)\s+)*[\w$]+!\s*:/m

/** Whether a text has fields that the compiler of its project leaves out. */
export function leavesOutFields(source: string, path: string, optionsOf: OptionsOf): boolean {
  return DEFINITE_FIELD.test(source) && assignsFields(optionsOf(path))
}

/**
 * Whether fields are assigned, not defined: then they keep what a decorator put on the prototype.
 * The default of TypeScript's `useDefineForClassFields`.
 */
function assignsFields({ useDefineForClassFields, target }: CompilerOptions): boolean {
  return !(useDefineForClassFields ?? (target === undefined || !/^es(?:[356]|20(?:1\d|2[01]))$/i.test(target)))
}

function explain({ message, labels, helpMessage }: OxcError, source: string, path: string): Error {
  const text = helpMessage === null ? message : `${message}. ${helpMessage}`
  const [label] = labels
  if (label === undefined) return new SyntaxError(`${path}: ${text}`)
  // Oxc counts bytes of UTF-8.
  const offset = Buffer.from(source).subarray(0, label.start).toString().length
  return sourceError(text, path, source, placeAt(source, offset))
}
