/**
 * Checks histories and explains illegal ones, in a process of its own, and prints the time:
 * `shared DIR TEXT`, or `generated OPTIONS`.
 */
import assert from 'node:assert/strict'
import type { History } from '../../packages/history/src/history/operation.ts'
import { checkLinearizable } from '../../packages/history/src/linearizability/check.ts'
import { MODELS } from '../../packages/history/src/models/catalogue.ts'
import type { ObjectModel } from '../../packages/history/src/models/model.ts'
import { type HistoryOptions, linearizableHistory, randomFrom } from '../../packages/history/test/generate/index.ts'
import { knownHistories } from './known-histories.ts'
import { monitored } from './monitored.ts'

export interface Measured {
  readonly histories: number
  readonly operations: number
  /** `ok`, or `10 ok, 40 illegal`. */
  readonly verdicts: string
  readonly readMs: number
  readonly checkMs: number
  /** The processor's part of it, of all threads. */
  readonly processorMs: number
  /** The most memory of the process, generating or reading included. */
  readonly peakMib: number
}

interface Subject {
  readonly history: History
  readonly model: ObjectModel
  readonly readMs: number
}

const [kind, ...args] = process.argv.slice(2)
const { isMonitored = false, ...options } = kind === 'generated' ? JSON.parse(args[0]!) : {}
const subjects = kind === 'generated' ? [generated(options)] : knownHistories(args[0], 'speed', args[1])
const verdicts: Record<string, number> = {}
const began = performance.now()
const processorBefore = process.cpuUsage()
for (const { history, model } of subjects) {
  const result = isMonitored ? monitored(history, model) : checkLinearizable(history, model)
  const { verdict } = result
  // It is made when it is asked for.
  if (result.verdict === 'illegal') assert(result.explanation)
  verdicts[verdict] = (verdicts[verdict] ?? 0) + 1
}
const checkMs = performance.now() - began
const { user, system } = process.cpuUsage(processorBefore)
const counts = Object.entries(verdicts)
const measured: Measured = {
  histories: subjects.length,
  operations: subjects.reduce((sum, { history }) => sum + history.operations.length, 0),
  verdicts: counts.length === 1 ? counts[0]![0] : counts.map(([verdict, count]) => `${count} ${verdict}`).join(', '),
  readMs: subjects.reduce((sum, { readMs }) => sum + readMs, 0),
  checkMs,
  processorMs: (user + system) / 1000,
  peakMib: process.resourceUsage().maxRSS / 1024,
}
console.log(JSON.stringify(measured))

function generated(options: HistoryOptions): Subject {
  return { history: linearizableHistory(randomFrom(1), options), model: MODELS[options.model], readMs: 0 }
}
