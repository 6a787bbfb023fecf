import { describe, expect, it } from 'vitest'
import { behaviourText } from '../../src/check/behaviour-text.ts'
import { Exploration, type ExploreOptions } from '../../src/check/explore.ts'
import { TlaError } from '../../src/error/error.ts'
import { Permuter } from '../../src/values/symmetry.ts'
import { at, formula, type TwoPhase, twoPhase } from './fixtures/two-phase.ts'

function explored(machine: TwoPhase, options: Partial<ExploreOptions> = {}) {
  const exploration = new Exploration(machine, { deadlock: false, ...options })
  const outcome = exploration.run()
  const { generated, distinct, diameter, queue } = machine.surroundings.progress
  return { outcome, generated, distinct, depth: diameter, queue, exploration }
}

/**
 * No manager commits while another aborts: false where the transaction manager may ignore who is
 * prepared.
 */
const nobodyCommits = (machine: TwoPhase) => formula('NobodyCommits', () => !machine.rmStates().includes('committed'))

describe('exploration', () => {
  it.each([
    [2, 154, 56, 8],
    [3, 1146, 288, 11],
    [4, 8258, 1568, 14],
  ])('finds as many states of two-phase commit with %i managers as TLC', (managers, generated, distinct, depth) => {
    expect(explored(twoPhase(managers))).toMatchObject({
      outcome: { kind: 'passed' },
      generated,
      distinct,
      depth,
      queue: 0,
    })
  })

  it('counts how often each part was enabled, taken and gave new states', () => {
    const { exploration } = explored(twoPhase(2))
    const rows = exploration.coverage
      .parts()
      .map(({ part, enabled, taken, found }) => [part.name, enabled, taken, found])
    expect(rows).toEqual([
      ['TMCommit', 1, 1, 1],
      ['TMAbort', 16, 16, 6],
      ['TMRcvPrepared', 12, 16, 5],
      ['RMPrepare', 18, 20, 12],
      ['RMChooseToAbort', 18, 20, 12],
      ['RMRcvCommit', 4, 8, 3],
      ['RMRcvAbort', 36, 72, 16],
    ])
    const found = rows.reduce((sum, row) => sum + (row[3] as number), 0)
    // All but the initial state were found by some part.
    expect(found).toBe(55)
    expect(exploration.coverage.neverEnabled()).toEqual([])
  })

  it('gives a shortest behaviour to a state where an invariant is false, with the actions and what changed', () => {
    const machine = twoPhase(2, (machine) => ({ invariants: [nobodyCommits(machine)] }))
    const { outcome } = explored(machine)
    if (outcome.kind !== 'invariant') throw new Error(outcome.kind)
    expect(outcome.formula.name).toBe('NobodyCommits')
    expect(behaviourText(outcome.behaviour, machine.variables)).toMatchInlineSnapshot(`
      "State 1: <Initial predicate>
      /\\ rmState = (r1 :> "working" @@ r2 :> "working")
      /\\ tmState = "init"
      /\\ tmPrepared = {}
      /\\ msgs = {}

      State 2: <RMPrepare(r1) line 23, col 3 to line 23, col 40 of module TwoPhase>
      /\\ rmState = (r1 :> "prepared" @@ r2 :> "working")
      /\\ msgs = {<<"prepared", r1>>}

      State 3: <TMRcvPrepared(r1) line 22, col 3 to line 22, col 40 of module TwoPhase>
      /\\ tmPrepared = {r1}

      State 4: <RMPrepare(r2) line 23, col 3 to line 23, col 40 of module TwoPhase>
      /\\ rmState = (r1 :> "prepared" @@ r2 :> "prepared")
      /\\ msgs = {<<"prepared", r1>>, <<"prepared", r2>>}

      State 5: <TMRcvPrepared(r2) line 22, col 3 to line 22, col 40 of module TwoPhase>
      /\\ tmPrepared = {r1, r2}

      State 6: <TMCommit line 20, col 3 to line 20, col 40 of module TwoPhase>
      /\\ tmState = "done"
      /\\ msgs = {<<"commit">>, <<"prepared", r1>>, <<"prepared", r2>>}

      State 7: <RMRcvCommit(r1) line 25, col 3 to line 25, col 40 of module TwoPhase>
      /\\ rmState = (r1 :> "committed" @@ r2 :> "prepared")"
    `)
  })

  it('stops counting where the invariant is false, as TLC does', () => {
    const { generated, distinct, depth } = explored(
      twoPhase(2, (machine) => ({ invariants: [nobodyCommits(machine)] })),
    )
    expect({ generated, distinct, depth }).toEqual({ generated: 129, distinct: 50, depth: 7 })
  })

  it('takes a state without successors for a deadlock, unless told otherwise', () => {
    const machine = twoPhase(1)
    // Receiving an abort twice changes nothing, but is a successor; what never receives one ends
    // here.
    const { next } = machine
    const stuck = Object.assign(machine, {
      next: (visit: () => void) => (machine.rmStates()[0] === 'aborted' ? undefined : next(visit)),
    })
    const { outcome } = explored(stuck, { deadlock: true })
    if (outcome.kind !== 'deadlock') throw new Error(outcome.kind)
    expect(outcome.behaviour.map(({ part }) => part?.name)).toEqual([undefined, 'RMChooseToAbort'])
    expect(explored(stuck).outcome.kind).toBe('passed')
  })

  it('neither counts nor follows states that fail a constraint, but checks invariants on them', () => {
    const nobodyAborts = (machine: TwoPhase) => formula('NobodyAborts', () => !machine.rmStates().includes('aborted'))
    const constrained = explored(twoPhase(2, (machine) => ({ constraints: [nobodyAborts(machine)] })))
    expect(constrained).toMatchObject({ outcome: { kind: 'passed' }, generated: 73, distinct: 22, depth: 8 })
    const seen: string[][] = []
    explored(
      twoPhase(2, (machine) => ({
        constraints: [nobodyAborts(machine)],
        invariants: [formula('Seen', () => seen.push([...machine.rmStates()]) > 0)],
      })),
    )
    expect(seen.some((states) => states.includes('aborted'))).toBe(true)
  })

  it('does not follow steps that fail an action constraint', () => {
    const machine = twoPhase(2, (machine) => ({
      actionConstraints: [formula('NoDecision', () => machine.primed[1] === machine.current[1])],
    }))
    expect(explored(machine)).toMatchObject({ outcome: { kind: 'passed' }, distinct: 16, generated: 50 })
  })

  it('checks properties of steps on each step', () => {
    const machine = twoPhase(2, (machine) => ({
      stepProperties: [formula('TransactionManagerStays', () => machine.primed[1] === machine.current[1])],
    }))
    const { outcome } = explored(machine)
    if (outcome.kind !== 'property') throw new Error(outcome.kind)
    expect(outcome.behaviour.map(({ part }) => part?.name)).toEqual([undefined, 'TMAbort'])
  })

  it('tells states apart by the view', () => {
    const machine = twoPhase(3, (machine) => ({ view: formula('View', () => machine.current[1]!) }))
    expect(explored(machine)).toMatchObject({ outcome: { kind: 'passed' }, distinct: 2 })
  })

  it('finds one of the states that are symmetric', () => {
    const symmetric = twoPhase(3, ({ arena }) => {
      const managers = ['r1', 'r2', 'r3'].map((name) => arena.modelValue(name))
      const orders = [
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
      ]
      const symmetries = orders.map((order) => {
        const permutation = new Map(order.map((to, from) => [managers[from]!, managers[to]!]))
        return new Permuter(arena, permutation)
      })
      return { symmetries }
    })
    expect(explored(symmetric)).toMatchObject({ outcome: { kind: 'passed' }, distinct: 80, generated: 318, depth: 11 })
  })

  it('stops at its bounds, and says at which', () => {
    expect(explored(twoPhase(3), { maxDepth: 3 })).toMatchObject({
      outcome: { kind: 'bound', bound: 'depth' },
      depth: 3,
    })
    expect(explored(twoPhase(3), { maxStates: 100 })).toMatchObject({
      outcome: { kind: 'bound', bound: 'states' },
      distinct: 100,
    })
    expect(explored(twoPhase(3), { maxBytes: 1 })).toMatchObject({
      outcome: { kind: 'bound', bound: 'memory' },
      distinct: 0,
    })
    let asked = 0
    expect(explored(twoPhase(3), { shouldStop: () => (++asked > 10 ? 'time' : undefined) })).toMatchObject({
      outcome: { kind: 'bound', bound: 'time' },
    })
    expect(explored(twoPhase(3), { shouldStop: () => 'interrupted' }).outcome).toEqual({ kind: 'interrupted' })
  })

  it('asks whether to stop within the successors of one state, too', () => {
    const machine = twoPhase(2)
    const { initial } = machine
    machine.initial = (visit) => {
      for (let count = 0; count < 5000; count++) initial(visit)
    }
    expect(explored(machine, { shouldStop: () => 'time' })).toMatchObject({
      outcome: { kind: 'bound', bound: 'time' },
      generated: 1024,
    })
  })

  it('evaluates invariants without a step that is under way', () => {
    const isUnset = (machine: TwoPhase) => machine.primed.every((value) => value === undefined)
    const machine = twoPhase(2, (machine) => ({
      actionConstraints: [formula('Always', () => true)],
      stepProperties: [formula('Step', () => !isUnset(machine))],
      invariants: [formula('NoStep', () => isUnset(machine))],
    }))
    expect(explored(machine).outcome).toEqual({ kind: 'passed' })
  })

  it('has explored everything if there are exactly as many states as it may find', () => {
    expect(explored(twoPhase(3), { maxStates: 288 }).outcome).toEqual({ kind: 'passed' })
  })

  it('gives the behaviour up to where something cannot be evaluated, after what was found before it', () => {
    const fails = () => {
      throw new TlaError('evaluation', 'cannot be evaluated')
    }
    const inNext = twoPhase(2)
    const { next } = inNext
    inNext.next = (visit) => {
      next(visit)
      if (inNext.rmStates().every((state) => state === 'prepared')) fails()
    }
    const { outcome } = explored(inNext)
    if (outcome.kind !== 'error') throw new Error(outcome.kind)
    expect(outcome.error.at).toEqual(at(50, 5, 9))
    expect(outcome.behaviour.map(({ part }) => part?.name)).toEqual([undefined, 'RMPrepare', 'RMPrepare'])

    const inInvariant = twoPhase(2, () => ({ invariants: [formula('Fails', fails)] }))
    expect(explored(inInvariant).outcome).toMatchObject({ kind: 'error', behaviour: [{}] })
    const inInitial = twoPhase(2, () => ({ initial: fails }))
    expect(explored(inInitial).outcome).toMatchObject({ kind: 'error', behaviour: [] })
  })

  it('evaluates assumptions before anything else, and postconditions at the end', () => {
    const no = formula('No', () => false)
    expect(explored(twoPhase(2, () => ({ assumptions: [no] })))).toMatchObject({
      outcome: { kind: 'assumption', formula: { name: 'No' } },
      generated: 0,
    })
    expect(explored(twoPhase(2, () => ({ postconditions: [no] })))).toMatchObject({
      outcome: { kind: 'postcondition', formula: { name: 'No' } },
      distinct: 56,
    })
  })

  it('evaluates postconditions where the specification ends it, too', () => {
    for (const holds of [true, false]) {
      const machine = twoPhase(2, () => ({ postconditions: [formula('Post', () => holds)] }))
      const { next } = machine
      machine.next = (visit) => {
        if (machine.rmStates().includes('prepared')) machine.surroundings.isOver = true
        next(visit)
      }
      const { outcome } = explored(machine)
      if (holds) expect(outcome).toEqual({ kind: 'bound', bound: 'exit' })
      else expect(outcome).toMatchObject({ kind: 'postcondition', formula: { name: 'Post' } })
    }
  })

  it('says so if there is no initial state', () => {
    expect(explored(twoPhase(2, () => ({ initial: () => {} }))).outcome).toEqual({ kind: 'no initial state' })
  })
})
