/**
 * One subject in all builds, in a process of its own. The builds take turns within a round, in an
 * order that rotates; their results must be equal.
 */
import { resolve } from 'node:path'
import { Loader } from '../../../packages/norn/src/loader/loader.ts'
import { median } from '../../statistics/summary.ts'

const BUILDS = ['plain', 'counters', 'comparisons'] as const

/** The message of this process. */
export interface Times {
  /** Milliseconds of one run, by round and build. */
  readonly rounds: readonly (readonly number[])[]
  /** Milliseconds to load the modules, cold, by build. */
  readonly loaded: readonly number[]
  readonly counters: number
  readonly comparisons: number
}

/** The approximate time of a round of one build. */
const ROUND_MS = 25

function loaderOf(build: (typeof BUILDS)[number]): Loader {
  return new Loader({
    shared: new Map(),
    aliases: new Map(),
    refuse(what) {
      throw new Error(`${what} is not supported in this suite`)
    },
    ...(build === 'plain' ? {} : { coverage: { include: () => true } }),
  })
}

type Subject = { run: () => string }

/** @param warmUp rounds that are not counted, while the compiler is at work */
function measure(subject: string, rounds: number, warmUp: number): Times {
  const path = resolve(import.meta.dirname, 'subjects', `${subject}.ts`)
  const loaders = BUILDS.map(loaderOf)
  const loaded: number[] = []
  const subjects = loaders.map((loader, index) => {
    const began = performance.now()
    const namespace = loader.instantiate({ trace: BUILDS[index] === 'comparisons' }).import(path) as Subject
    loaded.push(performance.now() - began)
    return namespace
  })
  const [expected, ...others] = subjects.map(({ run }) => run())
  if (others.some((each) => each !== expected)) throw new Error(`the builds of ${subject} differ in their results`)

  const once = (index: number, runs: number): number => {
    loaders[index]!.coverage?.reset()
    const began = performance.now()
    for (let n = 0; n < runs; n++) subjects[index]!.run()
    return (performance.now() - began) / runs
  }
  const warm = Array.from({ length: warmUp }, () => subjects.map((_, index) => once(index, 1)))
  const runs = Math.max(1, Math.round(ROUND_MS / median(warm.slice(-5).map(([plain]) => plain!))))
  const times = Array.from({ length: rounds }, (_, round) => {
    const row: number[] = []
    for (let turn = 0; turn < BUILDS.length; turn++) {
      const index = (round + turn) % BUILDS.length
      row[index] = once(index, runs)
    }
    return row
  })
  const { counters, comparisons } = loaders.at(-1)!.coverage!
  return {
    rounds: times,
    loaded,
    counters: counters.reduce((sum, { length }) => sum + length, 0),
    comparisons: comparisons.length,
  }
}

const [subject, rounds, warmUp] = process.argv.slice(2)
process.send!(measure(subject!, Number(rounds), Number(warmUp)))
