import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test, vi } from 'vitest'
import {
  microbenchmarkActions,
  microbenchmarkModel,
  reachableStates,
  type Size,
} from '../../../../bench/microbenchmark/model.ts'
import { loadMachine } from '../../../tla/src/node/load.ts'
import { Disabled, initialStates, perform } from '../../src/model/definition.ts'
import { firstDifference } from '../../src/model/difference.ts'
import { Identities } from '../../src/model/identities.ts'
import type { Applied } from '../../src/model/model.ts'
import { tlaModel } from '../../src/tla/index.ts'
import { sharedMachine } from '../../src/tla/machines.ts'
import { SharedMachine } from '../../src/tla/shared-machine.ts'
import { TlaKind, type TlaState } from '../../src/tla/tla-kind.ts'

const MODELS = join(import.meta.dirname, '../../../../models')
const folder = mkdtempSync(join(tmpdir(), 'norn-tla-model-'))
afterAll(() => rmSync(folder, { recursive: true }))

function specification(name: string, text: string, configuration = 'INIT Init\nNEXT Next\n'): string {
  writeFileSync(join(folder, `${name}.tla`), `---- MODULE ${name} ----\n${text}\n====\n`)
  writeFileSync(join(folder, `${name}.cfg`), configuration)
  return join(folder, `${name}.tla`)
}

const values = (applied: Applied) => (applied.enabled ? applied.states.map(({ value }) => value) : applied.reason)

describe('tlaModel', () => {
  test('takes a URL, or a path relative to the working directory', () => {
    const byUrl = tlaModel(pathToFileURL(join(MODELS, 'TwoPhaseCommit.tla')))
    const byPath = tlaModel(relative(process.cwd(), join(MODELS, 'TwoPhaseCommit.tla')))
    expect(byUrl.reset()[0]!.value).toEqual(byPath.reset()[0]!.value)
  })

  test('finds the configuration beside the specification', () => {
    const model = tlaModel(`${MODELS}/TwoPhaseCommit.tla`)
    expect(model.actions).toEqual(['Decide', 'Obey', 'GetReady', 'Refuse', 'NoteReady'])
    const [initial] = model.reset()
    expect(initial!.value).toEqual({
      resource: { r1: 'working', r2: 'working', r3: 'working' },
      coordinator: 'undecided',
      ready: [],
      messages: [],
    })
    expect(values(model.apply('Refuse', ['r1']))).toMatchObject([{ resource: { r1: 'aborted' } }])
    expect(values(model.apply('Decide', ['committed']))).toMatch(
      /^ready = Resources is false, where ready is \{\}, Resources is \{r1, r2, r3\} \(models\/TwoPhaseCommit.tla:\d+:\d+\)$/,
    )
  })

  test('takes a configuration as text, or from another file', () => {
    const text = 'INIT Init NEXT Next CONSTANTS Resources = {a, b} MayGiveUp = FALSE'
    const [initial] = tlaModel(`${MODELS}/TwoPhaseCommit.tla`, { configuration: { text } }).reset()
    expect(initial!.value).toMatchObject({ resource: { a: 'working', b: 'working' } })
    const other = tlaModel(`${MODELS}/TwoPhaseCommit.tla`, { configuration: `${MODELS}/TwoPhaseCommitSeven.cfg` })
    expect(Object.keys((other.reset()[0]!.value as { resource: object }).resource)).toHaveLength(7)
  })

  test('tells what is wrong with a specification, with the place', () => {
    const path = specification('Wrong', 'VARIABLE x\nInit == x = 1\nNext == y = 2')
    expect(() => tlaModel(path)).toThrow(/Wrong\.tla:4:9: `y` is not defined.*\n +4 \| Next == y = 2\n +\| +\^/)
    expect(() => tlaModel(join(folder, 'Nowhere.tla'))).toThrow('Nowhere.tla')
  })

  test('refuses a parameter that is no value', () => {
    const model = tlaModel(
      specification('Adds', "EXTENDS Integers\nVARIABLE x\nInit == x = 0\nAdd(n) == x' = n\nNext == Add(1)"),
    )
    expect(() => model.apply('Add', [1.5])).toThrow('parameter n of Add: 1.5 is not a 32-bit integer')
    expect(() => model.apply('Add', [2 ** 31])).toThrow('parameter n of Add: 2147483648 is not a 32-bit integer')
    expect(values(model.apply('Add', [-0]))).toEqual([{ x: 0 }])
  })

  test('takes a parameter as it is at the call, not as it was in an earlier one', () => {
    const model = tlaModel(specification('Puts', "VARIABLE x\nInit == x = 0\nPut(n) == x' = n\nNext == Put(1)"))
    const pair = [1, 2]
    expect(values(model.apply('Put', [pair]))).toEqual([{ x: [1, 2] }])
    pair[0] = 3
    expect(values(model.apply('Put', [pair]))).toEqual([{ x: [3, 2] }])
  })

  test('compiles a specification once, and again when it has changed', () => {
    const path = specification('Changes', "VARIABLE x\nInit == x = 1\nNext == x' = x")
    const first = sharedMachine(path, {})
    expect(sharedMachine(path, {})).toBe(first)
    expect(sharedMachine(path, { seed: 1 })).not.toBe(first)
    specification('Changes', "EXTENDS Integers\nVARIABLE x\nInit == x = 2\nNext == x' = x + 0")
    utimesSync(path, 0, 0)
    const [initial] = tlaModel(path).reset()
    expect(initial!.value).toEqual({ x: 2 })
  })

  test('gives states the identities that they have in other models of the specification', () => {
    const identities = new Identities()
    const [one, other] = [1, 2].map(() =>
      tlaModel(`${MODELS}/TwoPhaseCommit.tla`, { identities, maxRememberedBytes: 1 }),
    )
    const ids = (model: typeof one) => [
      ...model!.reset().map(({ id }) => id),
      ...['r1', 'r2'].flatMap((r) => {
        const applied = model!.apply('GetReady', [r])
        return applied.enabled ? applied.states.map(({ id }) => id) : []
      }),
    ]
    const first = ids(one)
    expect(new Set(first).size).toBe(3)
    // Both forget all they know at every step, and take up new arenas.
    expect(ids(other)).toEqual(first)
    expect(ids(one)).toEqual(first)
  })

  test('reads no clock, also when it forgets and where the specification asks for the time', () => {
    const path = specification('Time', "EXTENDS TLC\nVARIABLE x\nInit == x = JavaTime\nNext == x' = JavaTime")
    const now = vi.spyOn(Date, 'now')
    const model = tlaModel(path, { maxRememberedBytes: 1 })
    expect(model.reset().map(({ value }) => value)).toEqual([{ x: 0 }])
    expect(values(model.apply('Next', []))).toEqual([{ x: 0 }])
    expect(values(model.apply('Next', []))).toEqual([{ x: 0 }])
    expect(now).not.toHaveBeenCalled()
    now.mockRestore()
  })

  test('follows all that a specification leaves open', () => {
    const path = specification(
      'Open',
      "EXTENDS Integers\nVARIABLES x, y\nInit == x \\in 1..2 /\\ y = 0\nGuess == x' \\in {x, x + 10} /\\ y' = y\nSee(v) == x = v /\\ y' = 1 /\\ x' = x\nNext == Guess \\/ \\E v \\in Int : See(v)",
    )
    const model = tlaModel(path)
    expect(model.reset().map(({ value }) => value)).toEqual([
      { x: 1, y: 0 },
      { x: 2, y: 0 },
    ])
    expect(values(model.apply('Guess', []))).toHaveLength(4)
    expect(values(model.apply('See', [12]))).toEqual([{ x: 12, y: 1 }])
  })

  test('reaches actions through instances', () => {
    specification('Inner', "VARIABLE v\nSet(n) == v' = n\n")
    const path = specification(
      'Outer',
      'EXTENDS Integers\nVARIABLE w\nI == INSTANCE Inner WITH v <- w\nInit == w = 0\nNext == \\E n \\in 1..3 : I!Set(n)',
    )
    const model = tlaModel(path)
    expect(model.actions).toEqual(['I!Set'])
    expect(values(model.apply('I!Set', [2]))).toEqual([{ w: 2 }])
  })
})

describe('the microbenchmark in TLA+ and the one in TypeScript', () => {
  const sizes: readonly Size[] = [
    { workers: 5, executes: 10 },
    { workers: 6, executes: 10 },
    { workers: 6, executes: 40 },
    { workers: 7, executes: 40 },
  ]

  test.each(sizes)('agree state for state, with m = $workers and n = $executes', (size) => {
    const definition = microbenchmarkModel(size)
    const text = `INIT Init NEXT Next CONSTANTS Workers = ${size.workers} Executes = ${size.executes}`
    const machine = new SharedMachine(loadMachine(...specificationWith(text)))
    const kind = new TlaKind(machine, { identities: new Identities() })
    const actions = microbenchmarkActions(size)
    const open: TlaState[] = [...kind.begin()]
    expect(open.map(({ value }) => value)).toEqual(initialStates(definition))
    const seen = new Set(open.map(({ id }) => id))
    for (const state of open) {
      for (const { action, parameters = [] } of actions) {
        const expected = perform(definition, state.value as never, action, parameters)
        const led = kind.perform(state, action, parameters)
        if (expected instanceof Disabled || led instanceof Disabled) {
          if (expected instanceof Disabled && led instanceof Disabled) continue
          throw new Error(`${action}(${parameters}) is possible in one of them alone: ${JSON.stringify(state.value)}`)
        }
        const difference = firstDifference(
          led.map(({ value }) => value),
          expected,
        )
        if (difference !== undefined) throw new Error(`${action}(${parameters}): ${JSON.stringify(difference)}`)
        for (const next of led) {
          if (seen.has(next.id)) continue
          seen.add(next.id)
          open.push(next)
        }
      }
    }
    expect(seen.size).toBe(reachableStates(size))
  })

  function specificationWith(configuration: string): Parameters<typeof loadMachine> {
    const path = join(MODELS, 'Microbenchmark.tla')
    return [path, { configuration: 'Sized.cfg', files: { 'Sized.cfg': configuration } }]
  }
})
