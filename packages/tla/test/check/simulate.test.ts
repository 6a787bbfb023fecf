import { describe, expect, it } from 'vitest'
import { type SimulateOptions, Simulation } from '../../src/check/simulate.ts'
import { TlaError } from '../../src/error/error.ts'
import { machineOf } from '../specification.ts'
import { formula, type TwoPhase, twoPhase } from './fixtures/two-phase.ts'

function simulated(machine: TwoPhase, options: Partial<SimulateOptions> = {}) {
  const simulation = new Simulation(machine, { behaviours: 20, maxDepth: 30, seed: 1, deadlock: false, ...options })
  return { outcome: simulation.run(), progress: machine.surroundings.progress, simulation }
}

const nobodyCommits = (machine: TwoPhase) => formula('NobodyCommits', () => !machine.rmStates().includes('committed'))

describe('simulation', () => {
  it('makes as many behaviours as it is asked for, none longer than it may be', () => {
    const { outcome, progress } = simulated(twoPhase(3))
    expect(outcome).toEqual({ kind: 'passed' })
    expect(progress.traces).toBe(20)
    expect(progress.diameter).toBe(30)
    expect(progress.distinct).toBeGreaterThan(20)
    expect(progress.distinct).toBeLessThanOrEqual(288)
  })

  it('is a function of its seed', () => {
    const run = (seed: number) => {
      const trace: string[] = []
      const machine = twoPhase(3, (machine) => ({
        invariants: [formula('Seen', () => trace.push(machine.rmStates().join()) > 0)],
      }))
      const { progress } = simulated(machine, { seed })
      return [trace, { ...progress }]
    }
    expect(run(1)).toEqual(run(1))
    expect(run(1)).not.toEqual(run(2))
  })

  it('finds a broken invariant, with the behaviour that led there', () => {
    // A random manager aborts soon: 5,000 behaviours miss the one in which all prepare with p <
    // 1e-9.
    const machine = twoPhase(2, (machine) => ({ invariants: [nobodyCommits(machine)] }))
    const { outcome } = simulated(machine, { behaviours: 5000 })
    if (outcome.kind !== 'invariant') throw new Error(outcome.kind)
    const names = outcome.behaviour.map(({ part }) => part?.name)
    expect(names[0]).toBeUndefined()
    expect(names).toContain('TMCommit')
    expect(names.at(-1)).toBe('RMRcvCommit')
    expect(outcome.behaviour.at(-1)!.parameters).toHaveLength(1)
  })

  it('draws no state that fails a constraint, but examines it', () => {
    const drawn = new Set<string>()
    const examined = new Set<string>()
    const machine = twoPhase(2, (machine) => ({
      constraints: [formula('NobodyAborts', () => !machine.rmStates().includes('aborted'))],
      invariants: [formula('Seen', () => examined.add(machine.rmStates().join()).size > 0)],
    }))
    const { next } = machine
    machine.next = (visit) => {
      drawn.add(machine.rmStates().join())
      next(visit)
    }
    expect(simulated(machine).outcome).toEqual({ kind: 'passed' })
    expect([...drawn].filter((states) => states.includes('aborted'))).toEqual([])
    expect([...examined].filter((states) => states.includes('aborted'))).not.toEqual([])
  })

  it('finds deadlocks and errors', () => {
    const stuck = twoPhase(1)
    const { next } = stuck
    stuck.next = (visit) => (stuck.rmStates()[0] === 'aborted' ? undefined : next(visit))
    expect(simulated(stuck, { deadlock: true }).outcome.kind).toBe('deadlock')
    expect(simulated(stuck).outcome.kind).toBe('passed')
    const wrong = formula('Wrong', () => {
      throw new TlaError('evaluation', 'cannot be evaluated')
    })
    expect(simulated(twoPhase(1, () => ({ constraints: [wrong] }))).outcome).toMatchObject({
      kind: 'error',
      behaviour: [{}],
    })
    expect(simulated(twoPhase(1, () => ({ invariants: [wrong] }))).outcome).toMatchObject({
      kind: 'error',
      behaviour: [{}],
    })
  })

  it.each([
    ['states', 'CONSTRAINT Up', 'Up == x >= 0'],
    ['steps', 'ACTION_CONSTRAINT Up', "Up == x' > x"],
  ])('draws again where what it drew is excluded by a constraint of %s', (_, section, definition) => {
    const machine = machineOf(
      `EXTENDS Integers\nVARIABLE x\nInit == x = 0\nNext == x' \\in {x + 1, -1, -2, -3}\n${definition}\nLow == x < 20`,
      `INIT Init\nNEXT Next\n${section}\nINVARIANT Low\n`,
    )
    const outcome = new Simulation(machine, { behaviours: 1, maxDepth: 30, seed: 1, deadlock: true }).run()
    if (outcome.kind !== 'invariant') throw new Error(outcome.kind)
    expect(outcome.behaviour.map(({ state }) => state[0])).toEqual(Array.from({ length: 21 }, (_, at) => at))
  })

  it('stops when it is told to, and where its memory ends it only checks states again', () => {
    expect(simulated(twoPhase(3), { shouldStop: () => 'time' }).outcome).toEqual({ kind: 'bound', bound: 'time' })
    expect(simulated(twoPhase(3), { maxBytes: 1 })).toMatchObject({
      outcome: { kind: 'passed' },
      progress: { distinct: 0 },
    })
    const broken = twoPhase(2, () => ({ invariants: [formula('No', () => false)] }))
    expect(simulated(broken, { maxBytes: 1 }).outcome.kind).toBe('invariant')
  })

  it('says so if there is no initial state', () => {
    expect(simulated(twoPhase(2, () => ({ initial: () => {} }))).outcome).toEqual({ kind: 'no initial state' })
  })
})
