/** `norn fuzz --conformance`: divergences from the model are findings, which replay without the flag. */
import { expect, test } from 'vitest'
import { parsed, project } from './project.ts'

const cluster = (model: string) => `import { actors, cluster, defineModel, disabled } from 'norn/cluster'

cluster('a counter', {
  system: () => actors({ a: ({ event }) => ({ onRequest: (by: number) => event('added', by) }) }),
  requests: [1, 2, 3],
  ${model}
})
`

const MODEL = `model: {
    model: defineModel({
      init: { value: 0 },
      actions: { Add: ({ value }, by: number) => (by < 3 ? { value: value + by } : disabled('3 is too much')) },
    }),
    actions: ({ kind, data }) => (kind === 'event' ? { action: 'Add', parameters: [data] } : undefined),
  },`

test('a disabled action is a finding with the reason, and its file is replayed as it was found', async () => {
  const here = project({ 'counter.fuzz.ts': cluster(MODEL) })
  const call = async (...args: string[]) => {
    const { status, stdout } = await here.call(...args, '--json')
    return { ...parsed(stdout)[0], status }
  }
  const fuzz = ['fuzz', 'counter.fuzz.ts', '--seed', '1', '--runs', '50']
  expect((await call(...fuzz)).status).toBe(0)
  const found = await call(...fuzz, '--conformance')
  const message = expect.stringContaining('the model does not allow Add(3): 3 is too much')
  expect(found).toMatchObject({ verdict: 'failed', error: 'ModelDivergence', message, status: 1 })
  const path = here.failures().find((name) => name.endsWith('.json'))!
  expect(await call('replay', path)).toMatchObject({ exact: true })
  // Saved failures run first, and fail again whatever the call says.
  expect(await call(...fuzz)).toMatchObject({ verdict: 'failed', error: 'ModelDivergence', status: 1 })
})

test('a model that only guides is not asked for actions that change nothing, and the summary says so', async () => {
  const here = project({ 'counter.fuzz.ts': cluster(MODEL.replace('by < 3', 'by < 4')) })
  const vacuity = async (...flags: string[]) => {
    const { stdout } = await here.call('fuzz', 'counter.fuzz.ts', '--seed', '1', '--runs', '50', '--json', ...flags)
    return parsed(stdout).find(({ type }) => type === 'summary')!.vacuity
  }
  expect(await vacuity()).toMatchObject({ actions: {}, isGuideOnly: true })
  const checked = await vacuity('--conformance')
  expect(checked).toMatchObject({ actions: {} })
  expect(checked).not.toHaveProperty('isGuideOnly')
})

test('without a model there is nothing to compare with', async () => {
  const { status, stderr } = await project({ 'counter.fuzz.ts': cluster('') }).call(
    ...['fuzz', 'counter.fuzz.ts', '--runs', '5', '--conformance'],
  )
  expect(status).toBe(2)
  expect(stderr).toContain('no selected cluster has one: add the option `model`')
})
