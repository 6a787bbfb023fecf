/**
 * The counters and comparisons of a program's files: what instrumented code writes to, and the
 * search reads.
 *
 * Each file has one array of exactly its number of counters, under a constant of the global scope:
 * the compiler then knows the address (acorn: 1.2 times, through a variable of the module 1.3), and
 * a function that is made anew from its own text still finds it. Elements have 32 bits: 8 that stop
 * at 255 cost a tenth more, and 16 begin again at 0.
 *
 * Invariants: both builds of a file count in the same array; the arrays stand in the order in which
 * the files were loaded; `settle` before reading, `reset` before an execution.
 */
import { join, sep } from 'node:path'
import vm from 'node:vm'
import type MagicString from 'magic-string'
import type { ComparisonLog } from '../contract/observation.ts'
import { counterWriter } from './branch-counters.ts'
import { comparisonWriter } from './comparison-tracing.ts'
import type { Derivation } from './counter-flow.ts'
import { rememberFunctions } from './function-text.ts'
import { RecordedComparisons } from './recorded-comparisons.ts'
import type { Node } from './syntax-tree.ts'
import { tracerFor } from './tracer.ts'

export interface CoverageOptions {
  /**
   * Which files are instrumented, by absolute path; those that are not below a `node_modules`
   * unless told otherwise.
   */
  readonly include?: (path: string) => boolean
}

/** What instrumented code showed in the execution that ended last. */
export interface Coverage {
  /**
   * One array for each instrumented file, in the order of loading. New files are added while a
   * program loads them.
   */
  readonly counters: readonly Uint32Array[]
  /** Their paths, in the same order. */
  readonly files: readonly string[]
  readonly comparisons: ComparisonLog
  /** Sets all to nothing; before each execution. */
  reset(): void
  /**
   * Fills in the counters that are derived from others; after an execution, before the counters are
   * read.
   */
  settle(): void
}

function isUserCode(path: string): boolean {
  return !path.includes(`${sep}node_modules${sep}`)
}

/** The user's code, and that of some packages, by name. */
export function userCodeAnd(packages: readonly string[]): (path: string) => boolean {
  const folders = packages.map((name) => join(sep, 'node_modules', name, sep))
  return (path) => isUserCode(path) || folders.some((folder) => path.includes(folder))
}

/** Writes into the text of one build of one file. */
export interface Instrumentation {
  /** To be called for every node, parents first. */
  visit(node: Node, ancestors: readonly Node[]): 'skip' | undefined
  /** When all nodes have been visited: from now on the file counts. */
  done(): void
}

interface CountedFile {
  readonly source: string
  /** Under which its code finds its array. */
  readonly name: string
  counted: boolean
}

export class ProgramCoverage implements Coverage {
  readonly counters: Uint32Array[] = []
  readonly files: string[] = []
  readonly comparisons = new RecordedComparisons()
  readonly #include: (path: string) => boolean
  readonly #tracer = tracerFor(this.comparisons)
  readonly #tracerNames = new Map<string, string>()
  readonly #byPath = new Map<string, CountedFile>()
  readonly #derivations: (readonly Derivation[])[] = []

  constructor({ include = isUserCode }: CoverageOptions) {
    this.#include = include
  }

  includes(path: string): boolean {
    return this.#include(path)
  }

  /**
   * Begins to write into the text of a file; what is found under both builds and every query has
   * the same counters.
   *
   * @param stem prefix of names that do not occur in the text
   */
  instrument(path: string, text: MagicString, stem: string, trace: boolean): Instrumentation {
    const file = this.#file(path, text.original, stem)
    const { name } = file
    const counters = counterWriter(text, name)
    const comparisons = trace ? comparisonWriter(text, stem, this.#tracerName(stem), this.comparisons) : undefined
    return {
      visit(node, ancestors) {
        if (counters.visit(node, ancestors) === 'skip') return 'skip'
        comparisons?.visit(node)
      },
      done: () => {
        if (file.counted) return
        file.counted = true
        const { count, derivations, functions } = counters.counters()
        const array = new Uint32Array(count)
        declareGlobal(name, array)
        this.counters.push(array)
        this.files.push(path)
        this.#derivations.push(derivations)
        rememberFunctions(name, text.original, functions)
      },
    }
  }

  #file(path: string, source: string, stem: string): CountedFile {
    const known = this.#byPath.get(path)
    if (known?.source === source) return known
    const file = { source, name: newName(stem), counted: false }
    this.#byPath.set(path, file)
    return file
  }

  #tracerName(stem: string): string {
    let name = this.#tracerNames.get(stem)
    if (name === undefined) {
      this.#tracerNames.set(stem, (name = newName(stem)))
      declareGlobal(name, this.#tracer)
    }
    return name
  }

  reset(): void {
    for (const each of this.counters) each.fill(0)
    this.comparisons.reset()
    this.#tracer.reset()
  }

  settle(): void {
    for (let index = 0; index < this.#derivations.length; index++) {
      const derivations = this.#derivations[index]!
      const counters = this.counters[index]!
      for (const { target, base, minus } of derivations) counters[target] = counters[base]! - counters[minus]!
    }
  }
}

/** Runs in the global scope, where a later script finds what it was given. */
const hand = vm.runInThisContext('let _norn_handed; (value) => { _norn_handed = value }') as (value: unknown) => void

/** Names of ours in the global scope, so far: they must not meet, whichever loader they are for. */
let names = 0

const newName = (stem: string): string => `${stem}g${names++}`

function declareGlobal(name: string, value: object): void {
  hand(value)
  vm.runInThisContext(`const ${name} = _norn_handed`)
}
