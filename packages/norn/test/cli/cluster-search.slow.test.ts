/** How clusters are searched, as a person asks for it and hears of it. */
import { describe, expect, it } from 'vitest'
import { project } from './project.ts'

/**
 * Three nodes that each tell all others once; it fails, if that is asked for, where the last one
 * hears of the first last.
 */
const gossip = `import { actors, cluster, defineModel } from 'norn/cluster'

const node = (context) => ({
  heard: [],
  onStart() {
    context.broadcast({ type: 'Hello' })
  },
  onMessage(_, from) {
    this.heard.push(from)
    context.event('heard')
  },
})
const options = {
  system: () => actors({ a: node, b: node, c: node }),
  steps: 20,
}
const model = {
  model: defineModel({
    init: { heard: [] },
    actions: { Hear: (state, node, from) => ({ heard: [...state.heard, node + from].sort() }) },
  }),
  actions: ({ kind, node, peer }) => (kind === 'deliver' ? { action: 'Hear', parameters: [node, peer] } : undefined),
}

cluster('with a model', { ...options, model })
cluster('without a model', options)
cluster('one that fails', {
  ...options,
  check: ({ nodes: [, , c] }) => {
    if (c.state.heard.join() === 'b,a') throw new Error('the first one last')
  },
})
`

/** The line of a summary, among the lines of JSON. */
function summaryOf(stdout: string) {
  const lines = stdout.trim().split('\n')
  return lines.map((line) => JSON.parse(line)).find(({ type }) => type === 'summary')
}

describe('the search over clusters', () => {
  const here = project({ 'gossip.fuzz.ts': gossip })
  const fuzz = (property: string, ...options: string[]) =>
    here.call('fuzz', 'gossip.fuzz.ts', '--property', property, '--seed', '1', ...options)

  it('counts abstract states where there is a model, and orders of events where there is none', async () => {
    const model = await fuzz('with a', '--runs', '400')
    expect(model.stdout).toMatch(
      /\n {2}abstract states seen: \d+(?:; by chance alone, in \d+ executions, \d+)?, the last new one in execution \d+/,
    )
    const without = await fuzz('without', '--runs', '400')
    expect(without.stdout).toMatch(/\n {2}event orders at a node seen: \d+/)
  })

  it('makes no claim that holds for tasks of an event loop only', async () => {
    const { stdout } = await fuzz('with', '--runs', '400', '--guide', 'none')
    expect(stdout).toContain('of schedules drawn like these')
    expect(stdout).not.toMatch(/depth|pct|task orders/)
  })

  it('counts the same with two workers as each of them would, since states are told by what they are', async () => {
    const { stdout } = await fuzz('with a', '--runs', '800', '--guide', 'none', '--workers', '2', '--json')
    const { stop } = summaryOf(stdout)
    // Each of six messages was handled or not.
    expect(stop.species).toBe(64)
  })

  it('refuses a strategy that is not for clusters before anything runs', async () => {
    const { status, stderr, stdout } = await fuzz('with a', '--strategy', 'pct:2')
    expect(status).toBe(2)
    expect(stderr).toContain('with a model: the strategy pct:2 does not apply to clusters: use random or natural')
    expect(stdout).toBe('')
  })

  it('tells the number of an execution that chance found, by which it is had again', async () => {
    const { stdout } = await fuzz('fails', '--runs', '400', '--guide', 'none', '--no-shrink')
    const number = /--execution (\d+)/.exec(stdout)![1]!
    const again = await here.call('fuzz', 'gossip.fuzz.ts', '--property', 'fails', '--execution', number)
    expect(again.status).toBe(1)
    expect(again.stdout).toContain('the first one last')
  })

  it('goes on from the corpus of an earlier search', async () => {
    const corpus = ['--corpus', '--guide', 'model', '--json']
    const first = summaryOf((await fuzz('with a', '--runs', '300', ...corpus)).stdout).guided
    expect(first.states).toBe(64)
    const again = await fuzz('with a', '--runs', String(first.corpus + 5), ...corpus)
    expect(summaryOf(again.stdout).guided.states).toBe(64)
  })
})
