/**
 * TLCGet and TLCSet: registers by number or by a name that begins with `s:`, and statistics of the
 * exploration.
 *
 * Names that begin with `-D` are Java properties in TLC: here registers too, some of them preset.
 */
import type { Arena } from '../values/arena.ts'
import { canonical } from '../values/canonical.ts'
import { printCut, printValue } from '../values/print.ts'
import { refusal } from '../values/refuse.ts'
import type { Canonical, Value } from '../values/value.ts'
import { evaluated } from './evaluated.ts'
import { LARGEST } from './natives/numbers.ts'
import { functionOfPairs, wrongOperand } from './operands.ts'
import type { Surroundings } from './surroundings.ts'

/** The names of statistics, for messages. */
const ASKED =
  '"level", "generated", "distinct", "queue", "diameter", "duration", "stats", "config", "revision", "all" or "all:named"'

/** The revision of TLC that norn follows, of April 2026: specifications test for it. */
const REVISION = { seconds: 1_777_481_289, calver: '2026.04.29.164809', count: 0, tag: 'norn' } as const

/** Properties that specifications test for. */
const PROPERTIES: ReadonlyMap<string, string> = new Map([
  // Whether `A \cdot B` is evaluated.
  ['-Dtlc2.tool.impl.Tool.cdot', 'true'],
])

/** The key of a register or statistic; undefined for an invalid name. */
function keyOf(name: Value): number | string | undefined {
  if (typeof name === 'number') return name >= 0 ? name : undefined
  return typeof name === 'object' && name.kind === 'string' ? name.text : undefined
}

export function getRegister(surroundings: Surroundings, name: Value): Value {
  const key = keyOf(name)
  if (key === undefined) throw wrongOperand('only', 'TLCGet', 'a natural number or a string', name)
  const value = lookUp(surroundings, key)
  if (value !== undefined) return value
  const isRegister = typeof key === 'number' || key.startsWith('s:')
  const why = isRegister ? 'no TLCSet has set it' : `use ${ASKED}, or a register, "s:..."`
  throw refusal(`TLCGet(${printCut(name)}) is undefined: ${why}`)
}

/** As `getRegister`, but undefined without a value. */
export function lookUp(surroundings: Surroundings, key: number | string): Value | undefined {
  if (typeof key === 'number' || key.startsWith('s:')) return surroundings.registers.get(key)
  const { progress, arena } = surroundings
  // An unset property is its own name.
  if (key.startsWith('-D')) return surroundings.registers.get(key) ?? arena.string(PROPERTIES.get(key) ?? key)
  switch (key) {
    case 'level':
    case 'generated':
    case 'distinct':
    case 'queue':
      return Math.min(progress[key], LARGEST)
    case 'diameter':
      return Math.max(Math.min(progress.diameter, LARGEST), 1)
    case 'duration':
      return Math.min(Math.floor((surroundings.now() - surroundings.began) / 1000), LARGEST)
    case 'stats':
      return statistics(surroundings)
    case 'config':
      return configuration(surroundings)
    case 'revision':
      return record(arena, {
        calver: arena.string(REVISION.calver),
        count: REVISION.count,
        date: arena.string(new Date(REVISION.seconds * 1000).toISOString()),
        tag: arena.string(REVISION.tag),
        timestamp: REVISION.seconds,
      })
    case 'all':
      return registersOf(surroundings, 'number')
    case 'all:named':
      return registersOf(surroundings, 'string')
    default:
      return undefined
  }
}

function statistics(surroundings: Surroundings): Value {
  const { progress, arena, mode } = surroundings
  return record(arena, {
    diameter: progress.diameter,
    distinct: progress.distinct,
    duration: lookUp(surroundings, 'duration') as number,
    generated: progress.generated,
    queue: progress.queue,
    worker: 0,
    ...(mode === 'bfs' ? { initial: progress.initial } : { traces: progress.traces }),
  })
}

/** As TLC reports a run with one worker; fields about Java are empty. */
function configuration({ arena, mode, run, seed }: Surroundings): Value {
  const common = {
    deadlock: run.deadlock,
    install: arena.string(''),
    mode: arena.string(mode),
    seed: arena.string(String(seed)),
    worker: 1,
  }
  if (mode === 'bfs') return record(arena, { ...common, fingerprint: arena.string('') })
  const { depth = Number.POSITIVE_INFINITY, behaviours = 0 } = run
  return record(arena, {
    ...common,
    aril: arena.string('0'),
    depth: depth > LARGEST ? -1 : depth,
    sched: arena.string('random'),
    traces: Math.min(behaviours, LARGEST),
  })
}

/** All registers of a kind, each with the sequence of its values by worker: here a single one. */
function registersOf({ arena, registers }: Surroundings, kind: 'number' | 'string'): Value {
  const pairs = new Map<Canonical, Canonical>()
  for (const [key, value] of registers) {
    if (typeof key === kind && !(typeof key === 'string' && key.startsWith('-D'))) {
      pairs.set(typeof key === 'number' ? key : arena.string(key), arena.tuple([canonical(value)]))
    }
  }
  return functionOfPairs(arena, pairs)
}

function record(arena: Arena, fields: Readonly<Record<string, Canonical>>): Value {
  const shape = arena.shape(Object.keys(fields))
  return arena.record(
    shape,
    shape.names.map((name) => fields[name]!),
  )
}

export function setRegister(surroundings: Surroundings, name: Value, value: Value): boolean {
  const key = keyOf(name)
  if (typeof key === 'number' || key?.startsWith('s:')) surroundings.registers.set(key, evaluated(value))
  else if (key?.startsWith('-D')) surroundings.registers.set(key, surroundings.arena.string(printValue(value)))
  else if (key === 'exit') surroundings.isOver ||= value === true
  // On "pause" TLC waits for a key press.
  else if (key !== 'pause') {
    throw wrongOperand('first', 'TLCSet', 'a natural number, "exit", or a string that begins with "s:"', name)
  }
  return true
}
