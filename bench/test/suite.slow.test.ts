import { describe, expect, test, vi } from 'vitest'
import { count, defineParts, helpOf, list, ONLY, parse, seconds, UsageError } from '../suite.ts'
import { bench } from './bench.ts'

const OPTIONS = {
  only: ONLY,
  trials: count('trials', 'trials (default: 30)'),
  timeMs: seconds('time', 'limit of a trial (default: 60)'),
  techniques: list('techniques', 'only these', ['guided', 'random']),
}

describe('options', () => {
  test('are parsed by their declarations, and undefined where they are not given', () => {
    const args = ['--time', '0.5s', '--trials', '3', '--techniques', 'random,guided', '--smoke']
    const expected = { trials: 3, timeMs: 500, techniques: ['random', 'guided'], smoke: true, json: false }
    expect(parse(args, OPTIONS)).toEqual({ ...expected, only: undefined })
    expect(parse([], OPTIONS)).toEqual({ smoke: false, json: false })
  })

  test.each([
    [['--trials', '0'], '--trials must be a positive integer: "0"'],
    [['--trials', '1.5'], '--trials must be a positive integer: "1.5"'],
    [['--time', 'soon'], '--time must be a number of seconds above 0: "soon"'],
    [['--techniques', 'random,luck'], '--techniques: unknown name: "luck". Choose from guided, random'],
    [['--runs', '3'], "Unknown option '--runs'"],
    [['--trials'], "Option '--trials <value>' argument missing"],
    [['3'], "Unexpected argument '3'"],
  ])('%j is a usage error', (args, message) => {
    expect(() => parse(args, OPTIONS)).toThrow(UsageError)
    expect(() => parse(args, OPTIONS)).toThrow(message)
  })
})

describe('parts', () => {
  const run = { one: vi.fn(), two: vi.fn() }
  const part = (name: 'one' | 'two') => ({ summary: `does ${name}`, load: async () => ({ run: run[name] }) })
  const suite = defineParts({ summary: 'two parts', options: OPTIONS, parts: { one: part('one'), two: part('two') } })

  test('all run in order, or the chosen ones', async () => {
    await suite.run(['--trials', '3'])
    expect(run.one).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ trials: 3, smoke: false }))
    expect(run.one.mock.invocationCallOrder[0]).toBeLessThan(run.two.mock.invocationCallOrder[0]!)
    await suite.run(['--part', 'two', '--json'])
    expect(run.one).toHaveBeenCalledOnce()
    expect(run.two).toHaveBeenLastCalledWith(expect.objectContaining({ json: true }))
  })

  test('the help lists parts and options', () => {
    const help = helpOf('both', suite)
    for (const text of ['does two', '--time SECONDS', 'limit of a trial (default: 60)', '--part NAMES', '--smoke']) {
      expect(help).toContain(text)
    }
  })
})

describe('the command', () => {
  test('lists every suite with its summary', async () => {
    const { status, stdout } = await bench('--help')
    expect(status).toBe(0)
    const suites = [
      'races',
      'confuzz',
      'microbenchmark',
      'shrinking',
      'stopping',
      'speed',
      'fidelity',
      'tla',
      'history',
      'robustness',
      'reach',
    ]
    for (const name of [...suites, 'compare']) expect(stdout).toMatch(new RegExp(`^  ${name} +\\w`, 'm'))
  })

  test.each([
    [[], 'missing suite'],
    [['race'], 'unknown suite: "race"'],
    [['races', '--trails', '3'], "races: Unknown option '--trails'"],
    [['speed', '--part', 'loops'], 'speed: --part: unknown name: "loops". Choose from execution, '],
  ])('%j is a usage error with status 2', async (args, message) => {
    const { status, stdout, stderr } = await bench(...args)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(message)
  })
})
