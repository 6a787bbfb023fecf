/**
 * A saved failure of a cluster: shrunk to the steps that explain it, replayed exactly, and followed
 * over changed code.
 */
import { expect, it } from 'vitest'
import { type Line, parsed, project } from './project.ts'

const TOKEN = {
  'token.fuzz.ts': `import { fc } from 'norn'
import { type ActorContext, actors, cluster } from 'norn/cluster'

const station = (next: string, isFirst = false) => ({ send }: ActorContext) => {
  const state = { seen: 0 }
  return {
    state,
    onStart: () => { if (isFirst) send(next, 'token') },
    onMessage() { if (state.seen++ === 0) send(next, 'token') },
  }
}

cluster('the token goes around', {
  system: () => actors({ a: station('b', true), b: station('c'), c: station('a') }),
  steps: 40,
  faults: { drops: 1, duplicates: 1 },
  requests: fc.array(fc.nat(9)),
  eventually: { what: 'all have seen it', holds: ({ nodes }) => nodes.every(({ state }) => state.seen > 0) },
})
`,
}

it('from the first failure to the code that is mended', async () => {
  const here = project(TOKEN)
  const call = async (...args: string[]): Promise<Line & { status: number | null }> => {
    const { status, stdout, stderr } = await here.call(...args)
    expect(stderr).toBe('')
    return { ...parsed(stdout)[0], status }
  }

  const raw = await call('fuzz', 'token.fuzz.ts', '--seed', '1', '--runs', '500', '--no-shrink', '--json')
  expect(raw).toMatchObject({ verdict: 'failed', kind: 'liveness', error: 'LivenessError', status: 1 })
  const path = here.failures().find((name) => name.endsWith('.json'))!
  expect(await call('replay', path, '--json')).toMatchObject({ exact: true, traceHash: raw.traceHash })

  const least = { schedule: [{ step: 0, text: 'drop a → b' }], input: 'requests = []' }
  const shrunk = await call('shrink', path, '--json')
  expect(shrunk).toMatchObject({ ...least, complete: true, faults: [{ operation: 'drop', resource: 'a → b' }] })
  const again = await call('replay', path, '--json')
  expect(again).toMatchObject({ ...least, exact: true, recorded: 1, followed: 1, traceHash: shrunk.traceHash })

  // The first message is another one now: the loss comes where nothing is lost by it, and it is
  // found near.
  const early = "{ send(next, 'early'); send(next, 'token') }"
  here.edit('token.fuzz.ts', "send(next, 'token') },\n    onMessage", `${early} },\n    onMessage`)
  const near = await here.call('replay', path)
  expect(near.stdout).toMatch(/passes \(followed 1 of 1 recorded choice\), but similar execution \d+ fails/)
  expect(near.status).toBe(1)

  // Everything is sent twice, and one loss does no harm.
  const twice = "{ send(next, 'token'); send(next, 'token') }"
  here.write('token.fuzz.ts', TOKEN['token.fuzz.ts'].replaceAll("send(next, 'token')", twice))
  const gone = await here.call('replay', path)
  expect(gone.stdout).toContain('no longer fails: followed 1 of 1 recorded choice; 200 similar executions pass')
  expect(gone.status).toBe(0)

  // Another node begins, so that there is nothing to lose yet: that it passes says nothing of the
  // failure.
  const other = TOKEN['token.fuzz.ts'].replace(
    "a: station('b', true), b: station('c')",
    "a: station('b'), b: station('c', true)",
  )
  here.write('token.fuzz.ts', other.replace('.seen > 0', '.seen >= 0'))
  const vain = await here.call('replay', path)
  const told = 'inconclusive: passes, but followed 1 of 1 recorded choice (1 not possible)'
  expect(vain.stdout).toContain(told)

  // With another node the numbers of steps mean others.
  here.write('token.fuzz.ts', TOKEN['token.fuzz.ts'].replace("c: station('a')", "c: station('d'), d: station('a')"))
  const renumbered = await here.call('replay', path)
  expect(renumbered.stdout).toContain('so the recorded steps have other meanings')

  here.write('token.fuzz.ts', TOKEN['token.fuzz.ts'].replace('faults: { drops: 1, duplicates: 1 }', 'faults: {}'))
  const mended = await here.call('replay', path)
  expect(mended.stdout).toContain('inconclusive: passes, but the nodes, faults or options of the cluster have changed')
  expect(mended.status).not.toBe(0)
})
