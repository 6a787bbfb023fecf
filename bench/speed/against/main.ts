/**
 * Processor time of executions, against another revision of norn in the same run.
 *
 * The sides take turns, each in worker processes of its own. A ratio is the median over pairs of short rounds: on a
 * busy machine the same round takes up to four times as long, and two that follow each other differ least. With
 * `--least`, pairs are measured until those on one side of the ratio lead by so many that chance does not explain it.
 * A subject that stays below is measured again in fresh processes, since the same code differs by a tenth from one
 * process to the next, and exits with 1 if it stays below.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { resolve } from 'node:path'
import { rounded } from '../../measure.ts'
import { printer } from '../../output.ts'
import { answer } from '../../processes.ts'
import { median } from '../../statistics/summary.ts'
import { type FilteredOptions, UsageError } from '../../suite.ts'
import type { Answer, Round } from './side.ts'
import { lastRevision, withTree } from './tree.ts'

const SPEED = resolve(import.meta.dirname, '..')
const ROOT = resolve(SPEED, '../..')

const MAX_TRIES = 3

/** Rounds that compile. */
const WARM_UP = 10

/**
 * By how many the pairs on one side of the least ratio lead before they decide. On a machine with a load of 20 three of
 * ten pairs of equal sides are below 0.85: then 9 more below than above are a chance of 1 in 2,000.
 */
const LEAD = { full: 21, smoke: 9 }

/** Pairs at most, as a multiple of the lead: then their median decides. */
const MAX_PAIRS = 7

interface Subject {
  readonly name: string
  /** Below bench/speed. */
  readonly file: string
  readonly property: string
  /** Executions of a round. */
  readonly runs: number
  /** Whether the small form of the comparison has it. */
  readonly isSmall: boolean
}

const SUBJECTS: readonly Subject[] = [
  subject('trivial property, synchronous', 'throughput/trivial.fuzz.ts', 'synchronous', 4000, true),
  subject('trivial property, asynchronous', 'throughput/trivial.fuzz.ts', 'asynchronous', 4000, true),
  subject('three tasks in memory', 'execution/three-tasks.fuzz.ts', 'three tasks in memory', 1500, true),
  subject('three tasks that wait', 'execution/three-tasks.fuzz.ts', 'three tasks that wait', 1500, false),
  subject('three tasks over a file', 'execution/three-tasks.fuzz.ts', 'three tasks over a file', 400, true),
  subject('ten modules', 'execution/ten-modules/program.fuzz.ts', 'money is neither made nor lost', 300, false),
  subject('express: a request', 'network/express.fuzz.ts', 'express: a request and its response', 5, false),
  subject('ws: an echo', 'network/ws.fuzz.ts', 'ws: an echo', 5, false),
  subject('cluster, 20 messages', 'cluster/relay.fuzz.ts', '20 messages, checked after each event', 800, true),
  subject('cluster, 1,000 messages', 'cluster/relay.fuzz.ts', '1,000 messages', 40, false),
]

function subject(name: string, file: string, property: string, runs: number, isSmall: boolean): Subject {
  return { name, file, property, runs, isSmall }
}

export interface AgainstOptions extends FilteredOptions {
  readonly against: string | undefined
  readonly least: number | undefined
}

export async function run({ smoke, json, only = '', against, least = 0 }: AgainstOptions): Promise<void> {
  const say = printer(json)
  const lead = smoke ? LEAD.smoke : LEAD.full
  const chosen = SUBJECTS.filter(({ name, isSmall }) => name.includes(only) && (isSmall || !smoke))
  if (chosen.length === 0) throw new UsageError(`--only: no subject of this part contains "${only}"`)
  await withTree(against ?? lastRevision(), async (tree, commit) => {
    for (const each of chosen) {
      let measured = await compare(each, tree, { least, lead })
      for (let tries = 1; measured.ratio < least && tries < MAX_TRIES; tries++) {
        const again = await compare(each, tree, { least, lead })
        if (again.ratio > measured.ratio) measured = again
      }
      const { us, beforeUs, ratio, pairs } = measured
      const isSlower = ratio < least
      const row = { suite: 'against', subject: each.name, revision: commit, us, beforeUs, ratio, pairs, isSlower }
      const judged = isSlower ? `: slower than ${least}, in each of ${MAX_TRIES} comparisons` : ''
      say(
        row,
        `${each.name}: ${us} us, at ${commit.slice(0, 8)} ${beforeUs} us: ${ratio} times as fast (${pairs} pairs)${judged}`,
      )
      if (isSlower) process.exitCode = 1
    }
  })
}

interface Rule {
  readonly least: number
  readonly lead: number
}

async function compare({ file, property, runs }: Subject, tree: string, { least, lead }: Rule) {
  const sides = [ROOT, tree].map((each) => fork(resolve(import.meta.dirname, 'side.ts'), [each]))
  const round = { file: resolve(SPEED, file), property, runs }
  const pairs: { us: number; beforeUs: number; ratio: number }[] = []
  try {
    const [now, before] = sides as [ChildProcess, ChildProcess]
    for (const side of sides) for (let done = 0; done < WARM_UP; done++) await usOf(side, round)
    // Pairs at or above the least ratio, less those below.
    let above = 0
    while (Math.abs(above) < lead && pairs.length < MAX_PAIRS * lead) {
      const isFirst = pairs.length % 2 === 0
      const first = await usOf(isFirst ? now : before, round)
      const second = await usOf(isFirst ? before : now, round)
      const [us, beforeUs] = isFirst ? [first, second] : [second, first]
      const ratio = beforeUs / us
      pairs.push({ us, beforeUs, ratio })
      above += ratio < least ? -1 : 1
    }
  } finally {
    for (const side of sides) side.disconnect()
  }
  const middle = (name: keyof (typeof pairs)[number], digits: number) =>
    rounded(median(pairs.map((each) => each[name])), digits)
  return { us: middle('us', 1), beforeUs: middle('beforeUs', 1), ratio: middle('ratio', 2), pairs: pairs.length }
}

async function usOf(side: ChildProcess, round: Round): Promise<number> {
  const asked = answer<Answer>(side)
  side.send(round)
  const given = await asked
  if ('failed' in given) throw new Error(given.failed)
  return given.us
}
