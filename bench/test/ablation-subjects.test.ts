import { describe, expect, test } from 'vitest'
import type { ClusterOptions } from '../../packages/norn/src/cluster/definition.ts'
import { BLIND_SUBJECTS, type BlindSubject } from '../ablation/subjects/subjects.ts'
import { executeDirectly } from '../microbenchmark/direct.ts'
import { plannerOf } from '../microbenchmark/trial.ts'

const EXECUTIONS = 40

/** Runs executions by chance; the states and the names of the events that they showed. */
function run({ projection }: BlindSubject, cluster: ClusterOptions) {
  const planner = plannerOf({ guide: 'none', policy: 'norn', seed: 1 })
  const states = new Set<string>()
  const abstract = new Set<number>()
  const events = new Set<string>()
  const invariant: ClusterOptions['invariant'] = (view) => {
    cluster.invariant!(view)
    states.add(JSON.stringify(projection(view)))
  }
  for (let execution = 0; execution < EXECUTIONS; execution++) {
    const plan = planner.next()
    const { result, thrown, record } = executeDirectly({ ...cluster, invariant }, plan)
    if (thrown !== undefined) throw thrown
    planner.observe(plan, result)
    for (const state of result.observation!.cluster!.states) abstract.add(state)
    for (const { kind, name } of record().log) if (kind === 'event') events.add(name!)
  }
  return { states, abstract, events }
}

describe.each(BLIND_SUBJECTS)('$name', (subject) => {
  test('does what its model does, under crashes and losses, and shows what it is for', () => {
    const cluster = subject.cluster()
    const { states, abstract, events } = run(subject, cluster)
    for (const event of cluster.required!) expect(events).toContain(event)
    // By chance nearly each execution shows states of its own.
    expect(abstract.size).toBeGreaterThan(5 * EXECUTIONS)
    expect(states.size).toBeGreaterThan(5 * EXECUTIONS)
  })

  test('diverges from its model if a crash is not told to the model', () => {
    const cluster = subject.cluster()
    const { actions } = cluster.model!
    const deaf = {
      ...cluster.model!,
      actions: ((entry, view) => (entry.kind === 'crash' ? undefined : actions(entry, view))) as typeof actions,
    }
    expect(() => run(subject, { ...cluster, model: deaf })).toThrow('implementation and model disagree')
  })

  test('is the same from run to run', () => {
    expect(run(subject, subject.cluster())).toEqual(run(subject, subject.cluster()))
  })
})
