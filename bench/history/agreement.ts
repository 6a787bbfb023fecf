/**
 * Small random histories of each model, legal and illegal, by every way to check them, and by the
 * brute-force reference: the whole check, the monitor after the last return, the algorithm for
 * the kind of object where there is one, and sequential consistency for one history in ten.
 */

import type { History } from '../../packages/history/src/history/operation.ts'
import { checkLinearizable } from '../../packages/history/src/linearizability/check.ts'
import { decide } from '../../packages/history/src/linearizability/decide.ts'
import { mayMatter } from '../../packages/history/src/linearizability/partitions.ts'
import { MODELS } from '../../packages/history/src/models/catalogue.ts'
import { MODEL_NAMES, type ModelInput, type ModelName } from '../../packages/history/src/models/inputs.ts'
import type { ObjectModel } from '../../packages/history/src/models/model.ts'
import {
  isLinearizableByBruteForce,
  type Random,
  randomFrom,
  randomHistory,
} from '../../packages/history/test/generate/index.ts'
import { printer } from '../output.ts'
import type { CommonOptions } from '../suite.ts'
import { monitored } from './monitored.ts'

interface Row {
  readonly suite: 'history-agreement'
  readonly model: ModelName
  readonly algorithm: string
  /** By the verdict of the reference. */
  legal: number
  illegal: number
  /** Seeds of histories about which they disagree. */
  readonly disagreements: number[]
}

type Verdict = 'ok' | 'illegal' | 'unknown'

export async function run({
  histories,
  only = '',
  smoke,
  json,
}: CommonOptions & { readonly histories?: number; readonly only?: string }): Promise<void> {
  const say = printer(json)
  const count = histories ?? (smoke ? 300 : 20_000)
  for (const name of MODEL_NAMES.filter((each) => each.includes(only))) {
    const rows = rowsOf(name, count)
    for (const { disagreements, ...row } of rows) {
      const seeds = disagreements.slice(0, 5)
      const { algorithm, legal, illegal } = row
      const differ = disagreements.length === 0 ? 'no disagreement' : `${disagreements.length} DISAGREE: seeds ${seeds}`
      say(
        { ...row, disagreements: disagreements.length, seeds },
        `${name.padEnd(13)} ${algorithm.padEnd(11)} ${legal + illegal} histories, ${legal} legal: ${differ}`,
      )
      if (disagreements.length > 0) process.exitCode = 1
    }
  }
}

function rowsOf(model: ModelName, count: number): readonly Row[] {
  const rows = new Map<string, Row>()
  const compare = (algorithm: string, seed: number, verdict: Verdict | undefined, isLegal: boolean) => {
    if (verdict === undefined) return
    const counts = { legal: 0, illegal: 0, disagreements: [] }
    const row = rows.get(algorithm) ?? { suite: 'history-agreement', model, algorithm, ...counts }
    rows.set(algorithm, row)
    if (isLegal) row.legal++
    else row.illegal++
    if (verdict !== (isLegal ? 'ok' : 'illegal')) row.disagreements.push(seed)
  }
  const specification: ObjectModel = MODELS[model]
  for (let seed = 1; seed <= count; seed++) {
    const history = smallHistory(model, seed)
    const isLegal = isLinearizableByBruteForce(history, specification)
    compare('check', seed, checkLinearizable(history, specification).verdict, isLegal)
    compare('monitor', seed, monitored(history, specification).verdict, isLegal)
    compare('decide', seed, decided(history, specification), isLegal)
    if (seed % 10 !== 0) continue
    const consistency = 'sequential'
    const { verdict } = checkLinearizable(history, specification, { consistency })
    compare(consistency, seed, verdict, isLinearizableByBruteForce(history, specification, consistency))
  }
  return [...rows.values()]
}

/** At most eight operations; half of the histories write each value once, half have other times. */
function smallHistory(model: ModelName, seed: number): History<ModelInput, unknown> {
  const random = randomFrom(seed)
  const history = randomHistory(random, {
    model,
    operations: 2 + random.below(7),
    processes: 2 + random.below(3),
    keys: model === 'kv' || random.coin(0.2) ? 2 : undefined,
    values: random.coin(0.5) ? 0 : 3,
    unknown: 0.15,
    failed: 0.1,
  })
  return random.coin(0.5) ? history : withOtherTimes(history, random)
}

/** All calls and returns at other times, also equal ones; each process runs one operation at a time. */
function withOtherTimes({ operations }: History<ModelInput, unknown>, random: Random): History<ModelInput, unknown> {
  const free = new Map<number | string, number>()
  const moved = operations.map((operation) => {
    const call = (free.get(operation.process) ?? 0) + random.below(4)
    const returned = call + random.below(6)
    free.set(operation.process, returned + random.below(2))
    return { ...operation, call, return: operation.outcome === 'unknown' ? Number.POSITIVE_INFINITY : returned }
  })
  return { operations: moved.sort((a, b) => a.call - b.call) }
}

/** By the algorithms for kinds of objects; undefined if none applies. */
function decided({ operations }: History<ModelInput>, model: ObjectModel): Verdict | undefined {
  const mattering = operations.filter((operation) => mayMatter(operation, model))
  if (mattering.length === 0) return undefined
  const parts = Map.groupBy(mattering, ({ input }) => model.partition?.(input))
  const decisions = [...parts.values()].map((part) => decide(part, model)?.verdict)
  if (decisions.includes(undefined)) return undefined
  return decisions.includes('illegal') ? 'illegal' : 'ok'
}
