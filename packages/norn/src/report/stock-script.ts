/**
 * A failure as a script for stock Node: the body with its input, and its delays made real by wrapping the
 * functions of `fs` and of timers that its code calls.
 *
 * A virtual delay of some microseconds decides what comes first; real operations vary more than that, so
 * a script delays by a number of milliseconds that is longer.
 */
import { pathToFileURL } from 'node:url'
import { isSimplest } from '../contract/choice.ts'
import type { ExecutionResult } from '../contract/execution.ts'
import type { Explanation } from '../contract/explanation.ts'

/** A call of a function that is delayed: the `nth` at a place of the program. */
export interface StockDelay {
  /** The file, relative to the root, and the line. */
  readonly at: string
  readonly nth: number
  /** In virtual time. */
  readonly ms: number
  /** Before the call acts, or before it calls back. */
  readonly when: 'before' | 'after'
  readonly what: string
}

/** What a script says of a deadlock. */
export const NEVER = 'the body never settles'

/** More delays than these are not made by wrapping calls. */
const MAX_DELAYS = 4

/** The delays of a failure; a text says why a script cannot make them. */
export function stockDelays(result: ExecutionResult, explanation: Explanation): readonly StockDelay[] | string {
  if (result.cluster !== undefined) return 'a cluster runs in simulated time'
  if (result.faults !== undefined && result.faults.length > 0) return 'stock Node injects no faults'
  const departures = result.choices?.schedule.filter((choice) => !isSimplest(choice)) ?? []
  if (departures.length > MAX_DELAYS)
    return `it needs ${departures.length} delays, and a script makes at most ${MAX_DELAYS}`
  const delays: StockDelay[] = []
  for (const { subject, value } of departures) {
    const place = subject && placeOf(explanation, subject.step)
    const isDelay = subject?.point === 'effect' || subject?.point === 'callback' || subject?.point === 'timer'
    if (place === undefined || !isDelay) return 'a script can only delay calls of the program'
    const { at, calls, isFirst } = place
    const when = subject.point === 'effect' && isFirst ? 'before' : 'after'
    delays.push({ at, nth: calls, ms: Number(value) / 1000, when, what: subject.operation })
  }
  return delays
}

/** Where an operation was started, and the how-manieth call there it belongs to. */
function placeOf({ origins, trace, notes }: Explanation, label: string) {
  const atOf = (step: string) => {
    const frame = origins.get(step)
    return frame && `${frame.file}:${frame.line}`
  }
  const at = atOf(label)
  if (at === undefined) return undefined
  const started = [...trace.filter(({ event }) => event === 'submit'), ...notes.filter(({ event }) => event === 'set')]
  const kinds = started.filter((step) => atOf(step.label) === at)
  const index = kinds.findIndex((step) => step.label === label)
  // A call such as readFile submits several operations: its first kind counts the calls.
  const kindOf = (step: (typeof kinds)[number]) => ('kind' in step ? step.kind : step.event)
  const first = kinds[0] && kindOf(kinds[0])
  const before = kinds.slice(0, index + 1).filter((step) => kindOf(step) === first)
  return { at, calls: Math.max(1, before.length), isFirst: index < 0 || kindOf(kinds[index]!) === first }
}

interface Script {
  readonly property: string
  /** Absolute. */
  readonly file: string
  /** An object literal. */
  readonly input: string
  readonly delays: readonly StockDelay[]
  /** The least real delay, in milliseconds. */
  readonly leastMs: number
  /** Lines that say what it does. */
  readonly head: readonly string[]
}

/** Exits with status 1 if the property fails, and prints its error; with 0 if it passes. */
export function stockScript({ property, file, input, delays, leastMs, head }: Script): string {
  const ranked = delays.map(({ ms, ...delay }) => ({ ...delay, ms: Math.max(Math.ceil(ms), leastMs) }))
  return `${head.map((line) => `// ${line}`).join('\n')}
import fs from 'node:fs'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'

const FILE = ${JSON.stringify(pathToFileURL(file).href)}
const PROPERTY = ${JSON.stringify(property)}
const INPUT = ${input}
const DELAYS = ${JSON.stringify(ranked, null, 2)}

const { setTimeout: later } = globalThis
const sleep = (ms) => new Promise((resolve) => later(resolve, ms))

/** The delay of the call under way, if it has one. */
function delayOf() {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 100
  const { stack } = new Error()
  Error.stackTraceLimit = stackTraceLimit
  for (const delay of DELAYS) {
    if (!stack.includes('/' + delay.at + ':')) continue
    delay.calls = (delay.calls ?? 0) + 1
    if (delay.calls === delay.nth) return delay
  }
}

function wrap(object, name, delayed) {
  const call = object[name]
  const wrapped = function (...args) {
    const delay = delayOf()
    return delay === undefined ? call.apply(this, args) : delayed.call(this, delay, call, args)
  }
  object[name] = Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(call))
}

async function promised({ ms, when }, call, args) {
  if (when === 'before') await sleep(ms)
  try {
    return await call.apply(this, args)
  } finally {
    if (when === 'after') await sleep(ms)
  }
}

function calledBack({ ms, when }, call, args) {
  const callback = args.at(-1)
  if (when === 'before') later(() => call.apply(this, args), ms)
  else call.call(this, ...args.slice(0, -1), (...results) => later(callback, ms, ...results))
}

if (DELAYS.length > 0) {
  const isAsync = (name) => typeof fs[name + 'Sync'] === 'function' && typeof fs[name] === 'function'
  for (const name of Object.keys(fs).filter(isAsync)) wrap(fs, name, calledBack)
  for (const [name, value] of Object.entries(fs.promises)) if (typeof value === 'function') wrap(fs.promises, name, promised)
  const longer = (place) =>
    function ({ ms }, call, args) {
      return call.apply(this, args.with(place, Number(args[place] ?? 1) + ms))
    }
  wrap(globalThis, 'setTimeout', longer(1))
  wrap(timers, 'setTimeout', longer(0))
  syncBuiltinESMExports()
}

// The file declares its property to this script instead of to norn.
const found = {}
globalThis.declared = (name, inputs, options, last = options) => {
  if (name === PROPERTY) found.body = last
}
const STOCK = 'norn-stock:'
registerHooks({
  resolve(specifier, context, next) {
    const real = next(specifier, context)
    if (specifier !== 'norn' || context.parentURL.startsWith(STOCK)) return real
    return { url: STOCK + encodeURIComponent(real.url), format: 'module', shortCircuit: true }
  },
  load(url, context, next) {
    if (!url.startsWith(STOCK)) return next(url, context)
    const real = JSON.stringify(decodeURIComponent(url.slice(STOCK.length)))
    const source = \`export * from \${real}
export const fuzz = Object.assign((...args) => declared(...args), { skip() {}, only: (...args) => declared(...args) })
export const note = () => {}, target = () => {}\`
    return { format: 'module', shortCircuit: true, source }
  },
})
await import(FILE)
if (found.body === undefined) throw new Error('the file does not declare the property: ' + PROPERTY)

process.on('exit', (code) => {
  if (code !== 13) return
  console.log('FAILS: ${NEVER}')
  process.exitCode = 1
})
try {
  await found.body(INPUT)
  console.log('passes')
} catch (error) {
  console.log('FAILS: ' + (error?.message ?? error))
  console.error(error)
  process.exitCode = 1
}
`
}
