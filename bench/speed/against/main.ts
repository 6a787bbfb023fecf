/**
 * Processor time of executions, against another revision of norn in the same run.
 *
 * The sides take turns, each in worker processes of its own. A figure is the least of a side's
 * rounds: a busy machine only ever adds time. With `--least`, a subject that falls below the ratio
 * is measured again in fresh processes, since the same code differs by a tenth from one process to
 * the next, and exits with 1 if it stays below.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { resolve } from 'node:path'
import { rounded } from '../../measure.ts'
import { printer } from '../../output.ts'
import { answer } from '../../processes.ts'
import { type FilteredOptions, UsageError } from '../../suite.ts'
import type { Answer, Round } from './side.ts'
import { lastRevision, withTree } from './tree.ts'

const SPEED = resolve(import.meta.dirname, '..')
const ROOT = resolve(SPEED, '../..')

const MAX_TRIES = 3

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
  subject('trivial property, synchronous', 'throughput/trivial.fuzz.ts', 'synchronous', 20_000, true),
  subject('trivial property, asynchronous', 'throughput/trivial.fuzz.ts', 'asynchronous', 20_000, true),
  subject('three tasks in memory', 'execution/three-tasks.fuzz.ts', 'three tasks in memory', 6000, true),
  subject('three tasks that wait', 'execution/three-tasks.fuzz.ts', 'three tasks that wait', 6000, false),
  subject('three tasks over a file', 'execution/three-tasks.fuzz.ts', 'three tasks over a file', 2000, true),
  subject('ten modules', 'execution/ten-modules/program.fuzz.ts', 'money is neither made nor lost', 1500, false),
  subject('express: a request', 'network/express.fuzz.ts', 'express: a request and its response', 10, false),
  subject('ws: an echo', 'network/ws.fuzz.ts', 'ws: an echo', 20, false),
  subject('cluster, 20 messages', 'cluster/relay.fuzz.ts', '20 messages, checked after each event', 4000, true),
  subject('cluster, 1,000 messages', 'cluster/relay.fuzz.ts', '1,000 messages', 200, false),
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
  const rounds = smoke ? 3 : 7
  const chosen = SUBJECTS.filter(({ name, isSmall }) => name.includes(only) && (isSmall || !smoke))
  if (chosen.length === 0) throw new UsageError(`--only: no subject of this part contains "${only}"`)
  await withTree(against ?? lastRevision(), async (tree, commit) => {
    for (const each of chosen) {
      let measured = await compare(each, tree, rounds)
      for (let tries = 1; measured.ratio < least && tries < MAX_TRIES; tries++) {
        const again = await compare(each, tree, rounds)
        if (again.ratio > measured.ratio) measured = again
      }
      const { us, beforeUs, ratio } = measured
      const isSlower = ratio < least
      const row = { suite: 'against', subject: each.name, revision: commit, us, beforeUs, ratio, isSlower }
      const judged = isSlower ? `: slower than ${least}, in each of ${MAX_TRIES} comparisons` : ''
      say(row, `${each.name}: ${us} us, at ${commit.slice(0, 8)} ${beforeUs} us: ${ratio} times as fast${judged}`)
      if (isSlower) process.exitCode = 1
    }
  })
}

async function compare({ file, property, runs }: Subject, tree: string, rounds: number) {
  const sides = [ROOT, tree].map((each) => fork(resolve(import.meta.dirname, 'side.ts'), [each]))
  const round = { file: resolve(SPEED, file), property, runs }
  try {
    const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    // The first compiles.
    for (const side of sides) await usOf(side, round)
    for (let done = 0; done < rounds; done++)
      for (const [at, side] of sides.entries()) least[at] = Math.min(least[at]!, await usOf(side, round))
    const [us, beforeUs] = least as [number, number]
    return { us: rounded(us, 1), beforeUs: rounded(beforeUs, 1), ratio: rounded(beforeUs / us) }
  } finally {
    for (const side of sides) side.disconnect()
  }
}

async function usOf(side: ChildProcess, round: Round): Promise<number> {
  const asked = answer<Answer>(side)
  side.send(round)
  const given = await asked
  if ('failed' in given) throw new Error(given.failed)
  return given.us
}
