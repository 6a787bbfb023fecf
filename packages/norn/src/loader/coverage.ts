/**
 * The counters and comparisons of a program's files, which instrumented code writes and the search
 * reads.
 *
 * Each file has an array with one element per counter, in a constant of the global scope. So V8
 * knows its address (acorn runs 1.2 times as long, 1.3 with a variable of the module), and a
 * function recreated from its text still finds it. Elements have 32 bits: 8 saturating bits cost a
 * tenth more, 16 overflow.
 *
 * Invariants: both builds of a file share an array; the arrays are in loading order; call `settle`
 * before reading and `reset` before an execution.
 */
import { join, sep } from 'node:path'
import vm from 'node:vm'
import type MagicString from 'magic-string'
import type { ComparisonLog, Numbering } from '../contract/observation.ts'
import { digest } from '../tape/digest.ts'
import { type CounterPlan, counterWriter } from './branch-counters.ts'
import { comparisonWriter } from './comparison-tracing.ts'
import { rememberFunctions } from './function-text.ts'
import { type ComparisonSite, RecordedComparisons } from './recorded-comparisons.ts'
import type { Node } from './syntax-tree.ts'
import { COUNTERS, FIRST_SITE, type Fill, TRACER } from './template.ts'
import { tracerFor } from './tracer.ts'

export interface CoverageOptions {
  /** Selects the instrumented files by absolute path; by default those outside `node_modules`. */
  readonly include?: (path: string) => boolean
}

/** The coverage of the last execution. */
export interface Coverage {
  /** One array per instrumented file, in loading order. A program may load further files. */
  readonly counters: readonly Uint32Array[]
  /** The paths of the files, in the same order. */
  readonly files: readonly string[]
  readonly comparisons: ComparisonLog
  readonly numbering: Numbering
  /** Clears everything. Call it before each execution. */
  reset(): void
  /** Computes the derived counters. Call it after an execution. */
  settle(): void
}

/** Whether a file is not of an installed package. */
export function isUserCode(path: string): boolean {
  return !path.includes(`${sep}node_modules${sep}`)
}

/** Selects the user's code and some packages, by name. */
export function userCodeAnd(packages: readonly string[]): (path: string) => boolean {
  const folders = packages.map((name) => join(sep, 'node_modules', name, sep))
  return (path) => isUserCode(path) || folders.some((folder) => path.includes(folder))
}

/** Instruments the text of one build of one file. */
export interface Instrumentation {
  /** Call it for every node, parents first. */
  visit(node: Node, ancestors: readonly Node[]): 'skip' | undefined
  /** Call it after the last node. */
  done(): Inserted
}

/** What was inserted into a text, beside the text. */
export interface Inserted {
  /** Undefined in a build without counters. */
  readonly instrumented?: Instrumented
  /** Whether its scopes could not all be made readable, where that was asked for. */
  readonly isOpaque?: boolean
}

/** What was inserted into a text: a function of the text. */
export interface Instrumented extends CounterPlan {
  /** Of the source. */
  readonly digest: string
  /** The traced comparisons; undefined in a build that traces none. */
  readonly sites: readonly ComparisonSite[] | undefined
}

/**
 * Starts to insert counters, and calls that trace comparisons, into a text.
 *
 * @param stem prefix for names that does not occur in the text
 * @param fill what stands for the names and numbers that a program gives it
 */
export function instrumentation(text: MagicString, stem: string, fill: Fill, trace: boolean): Instrumentation {
  const sites: ComparisonSite[] | undefined = trace ? [] : undefined
  const counters = counterWriter(text, fill(COUNTERS))
  const add = (site: ComparisonSite) => fill(FIRST_SITE - (sites!.push(site) - 1))
  const comparisons = trace ? comparisonWriter(text, stem, fill(TRACER), { add }) : undefined
  return {
    visit(node, ancestors) {
      if (counters.visit(node, ancestors) === 'skip') return 'skip'
      comparisons?.visit(node)
    },
    done: () => ({ instrumented: { digest: digest(text.original), ...counters.counters(), sites } }),
  }
}

/** What an action did to counters and comparisons. */
export interface Counts {
  /** How often each counter was hit that was hit at all. */
  readonly counts: readonly (readonly [array: number, index: number, count: number])[]
  /** Records its comparisons; none may have been recorded before. */
  compare(): void
}

interface CountedFile {
  readonly source: string
  /** The name by which its code finds its array. */
  readonly name: string
  counted: boolean
  /** Of the sites of its comparisons, once a build traces them. */
  sites?: readonly number[]
}

export class ProgramCoverage implements Coverage {
  readonly counters: Uint32Array[] = []
  readonly files: string[] = []
  readonly comparisons = new RecordedComparisons()
  readonly numbering = { counters: [] as string[], sites: [] as string[] }
  readonly #include: (path: string) => boolean
  readonly #tracer = tracerFor(this.comparisons)
  readonly #tracerNames = new Map<string, string>()
  readonly #byPath = new Map<string, CountedFile>()
  readonly #derivations: (readonly number[])[] = []

  constructor({ include = isUserCode }: CoverageOptions) {
    this.#include = include
  }

  includes(path: string): boolean {
    return this.#include(path)
  }

  /**
   * Adds what was inserted into a file. All builds, and all queries, share the counters, and those that trace
   * share the sites.
   *
   * @param stem prefix for names that does not occur in the source
   * @returns the names and numbers that the text has to use
   */
  add(path: string, source: string, stem: string, inserted: Instrumented): Fill {
    const { count, derivations, functions, sites, digest } = inserted
    const file = this.#file(path, source, stem)
    const { name } = file
    const { numbering } = this
    const tracer = sites && this.#tracerName(stem)
    if (sites !== undefined && file.sites === undefined) {
      file.sites = sites.map((site) => this.comparisons.add(site))
      numbering.sites.push(digestAfter(numbering.sites, digest))
    }
    if (!file.counted) {
      file.counted = true
      const array = new Uint32Array(count)
      declareGlobal(name, array)
      this.counters.push(array)
      this.files.push(path)
      numbering.counters.push(digestAfter(numbering.counters, digest))
      this.#derivations.push(derivations)
      rememberFunctions(name, source, functions)
    }
    return (hole) => (hole === COUNTERS ? name : hole === TRACER ? tracer! : `${file.sites![FIRST_SITE - hole]}`)
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

  /** What an action counts, and compares. */
  countsOf(action: () => void): Counts {
    const before = this.counters.map((each) => each.slice())
    this.comparisons.reset()
    action()
    const counts: [array: number, index: number, count: number][] = []
    for (const [array, counters] of this.counters.entries()) {
      for (const [index, now] of counters.entries()) {
        const count = now - (before[array]?.[index] ?? 0)
        if (count !== 0) counts.push([array, index, count])
      }
    }
    return { counts, compare: this.comparisons.kept() }
  }

  /** Counts and compares as an action did that does not run again. */
  repeat({ counts, compare }: Counts): void {
    for (const [array, index, count] of counts) this.counters[array]![index]! += count
    compare()
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
      for (let at = 0; at < derivations.length; at += 3)
        counters[derivations[at]!] = counters[derivations[at + 1]!]! - counters[derivations[at + 2]!]!
    }
  }
}

/** Of a text with a digest, and all before it. */
function digestAfter(digests: readonly string[], next: string): string {
  return digest(`${digests.at(-1) ?? ''}${next}`)
}

/** Passes a value to the script that `declareGlobal` runs. */
const hand = vm.runInThisContext('let _norn_handed; (value) => { _norn_handed = value }') as (value: unknown) => void

/** The number of global names so far, of all loaders: names must be unique. */
let names = 0

const newName = (stem: string): string => `${stem}g${names++}`

function declareGlobal(name: string, value: object): void {
  hand(value)
  vm.runInThisContext(`const ${name} = _norn_handed`)
}
