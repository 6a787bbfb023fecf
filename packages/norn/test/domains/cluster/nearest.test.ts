/** Which passing execution of a cluster stands beside a failure. */
import { expect, it } from 'vitest'
import type { Choice } from '../../../src/contract/choice.ts'
import type { ExecutionResult } from '../../../src/contract/execution.ts'
import type { Plan } from '../../../src/contract/plan.ts'
import { passingCluster } from '../../../src/domains/cluster/nearest.ts'
import { entry } from '../../report/event-logs.ts'
import { RESULT } from '../../session/scripted.ts'

const step = (ordinal: number, value: number): Choice => {
  return { kind: 'step', label: `${ordinal}`, min: 0, max: 9, value }
}

/** A cluster whose step n crashes node n where the choice is not 0. */
function run(values: readonly number[], fails: (values: readonly number[]) => boolean): ExecutionResult {
  const log = values.map((value, at) => entry(`${at}@${at + value} ${value === 0 ? 'request' : 'crash'} n${at} #${at}`))
  const steps = [...values.entries()].filter(([, value]) => value > 0).map(([at]) => [at, `crash n${at}`] as const)
  const choices = { input: [], schedule: values.map((value, at) => step(at, value)), fault: [], length: 5 }
  const cluster = { nodes: ['n0'], log, steps }
  return { ...RESULT, verdict: fails(values) ? 'failed' : 'passed', choices, cluster }
}

function nearest(values: readonly number[], fails: (values: readonly number[]) => boolean) {
  const of = ({ choices }: Plan) => {
    if (choices.from !== 'record') throw new Error('a record is expected')
    return run(
      choices.choices.schedule.map(({ value }) => Number(value)),
      fails,
    )
  }
  const explain = async (plan: Plan) => ({ result: of(plan), explanation: undefined })
  const attempting = { execute: async (plan: Plan) => of(plan), explain, steps: explain }
  return passingCluster(attempting, { from: 'tape' }, run(values, fails))
}

it('lacks the latest departure without which it passes', async () => {
  const found = await nearest([1, 0, 1, 0, 1], (values) => values[0]! > 0 && values[2]! > 0)
  expect(found).toMatchObject({ dropped: { step: 2, text: 'crash n2' }, parting: 2 })
})

it('is not there under the default schedule, or where each departure can be dropped', async () => {
  expect(await nearest([0, 0], () => true)).toBeUndefined()
  expect(await nearest([1, 1], ([a = 0, b = 0]) => a + b > 0)).toBeUndefined()
})

it('is not there if its process is lost', async () => {
  const lost = { execute: async () => undefined, explain: async () => undefined, steps: async () => undefined }
  const failing = run([1], () => true)
  expect(await passingCluster(lost, { from: 'tape' }, failing)).toBeUndefined()
})
