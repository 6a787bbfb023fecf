import { expect, test, vi } from 'vitest'
import { isInstalled } from '../../systems/etcd-raft/toolchain.ts'
import { suite } from '../raft/main.ts'
import { TECHNIQUES } from '../raft/techniques.ts'
import { runTrial } from '../raft/trial.ts'

async function rowsOf(...args: string[]) {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line))
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  await suite.run(['--smoke', '--json', ...args])
  log.mockRestore()
  error.mockRestore()
  return lines.map((line) => JSON.parse(line))
}

const installed = isInstalled()
if (!installed)
  console.warn('the raft suite is not tested: Go or the library is missing. Run `npm run systems:etcd-raft`')

test.skipIf(!installed)(
  'the suite runs: states by technique, and seeded bugs without the model, guided by it and held to it',
  async () => {
    const states = await rowsOf('--part', 'states', '--runs', '12')
    const counted = states.filter(({ kind }) => kind === 'states')
    const guides = TECHNIQUES.map(({ guide }) => guide)
    expect(new Set(counted.map(({ guide }) => guide))).toEqual(new Set(guides))
    for (const { meanStates } of counted) expect(meanStates).toBeGreaterThan(0)
    const mutants = await rowsOf('--part', 'mutants', '--only', 'forgotten-vote', '--runs', '5')
    expect(mutants.map(({ guide, mutant, trials, found }) => [guide, mutant, trials, found])).toEqual([
      ['none', 'forgotten-vote', 1, 0],
      ['model', 'forgotten-vote', 1, 0],
      ['conformance', 'forgotten-vote', 1, 1],
    ])
  },
)

test.skipIf(!installed)('states depend on the seed alone', () => {
  const options = { guide: 'none', policy: 'norn', seed: 3, executions: 8 } as const
  const counted = () => runTrial(options).points.map(({ cpuMs: _, ...states }) => states)
  expect(counted()).toEqual(counted())
})
