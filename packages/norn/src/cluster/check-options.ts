/**
 * Holds the options of a cluster against what they must be, so that a slip is told where it is
 * made.
 */
import { checkSearchLimits } from '../property/search-options.ts'
import type { ClusterOptions } from './definition.ts'

/** All there are; the types hold that none is missing. */
const OPTIONS = Object.keys({
  system: 0,
  steps: 0,
  network: 0,
  faults: 0,
  permanentCrashes: 0,
  requests: 0,
  route: 0,
  requestEveryMs: 0,
  invariant: 0,
  check: 0,
  eventually: 0,
  model: 0,
  frames: 0,
  required: 0,
  runs: 0,
  timeMs: 0,
  seed: 0,
} satisfies Record<keyof ClusterOptions, 0>)

/** @throws TypeError if it is none */
export function checkName(name: unknown): void {
  if (typeof name === 'string' && name !== '') return
  throw new TypeError('cluster(name, options): the name must be a text that is not empty')
}

/** @throws TypeError that says which option is wrong, and what it should be */
export function checkOptions<Request>(name: string, options: ClusterOptions<Request>): void {
  const refuse = (why: string): never => {
    throw new TypeError(`cluster('${name}', options): ${why}`)
  }
  if (typeof options !== 'object' || options === null) refuse('the options must be an object')
  const { system, steps, network = {}, faults = {}, requests, eventually, model, required, frames } = options
  if (typeof system !== 'function') refuse('`system` must be a function that makes one: `system: () => actors({ … })`')
  if (frames !== undefined && !(Array.isArray(frames) && frames.every((each) => Array.isArray(each?.frames))))
    refuse('`frames` must be an array of key frames: `[frames(name, [predicate, …]), …]`')
  const count = (value: unknown, what: string, least: number) => {
    if (value === undefined) return
    if (!Number.isSafeInteger(value) || (value as number) < least)
      refuse(`\`${what}\` must be a whole number of at least ${least}`)
  }
  const known = (given: object, names: readonly string[], what: string) => {
    for (const key of Object.keys(given))
      if (!names.includes(key)) refuse(`\`${what}\` has no '${key}'; there are ${names.join(', ')}`)
  }
  known(options, OPTIONS, 'options')
  checkSearchLimits(options, refuse)
  count(steps, 'steps', 1)
  known(network, ['order', 'perStep', 'latencyMs'], 'network')
  known(faults, ['crashes', 'drops', 'duplicates', 'partitions'], 'faults')
  count(network.perStep, 'network.perStep', 1)
  if (network.order !== undefined && network.order !== 'fifo' && network.order !== 'any')
    refuse("`network.order` must be 'fifo' or 'any'")
  if (network.latencyMs !== undefined && !(network.latencyMs >= 0 && Number.isFinite(network.latencyMs)))
    refuse('`network.latencyMs` must be a number of milliseconds')
  for (const [fault, quota] of Object.entries(faults)) count(quota, `faults.${fault}`, 0)
  const isArbitrary = typeof (requests as { generate?: unknown } | undefined)?.generate === 'function'
  if (requests !== undefined && !Array.isArray(requests) && !isArbitrary)
    refuse('`requests` must be an array, or an arbitrary of fast-check that makes one')
  for (const what of ['route', 'invariant', 'check'] as const) {
    if (options[what] !== undefined && typeof options[what] !== 'function') refuse(`\`${what}\` must be a function`)
  }
  const { requestEveryMs } = options
  if (requestEveryMs !== undefined && !(requestEveryMs >= 0 && Number.isFinite(requestEveryMs)))
    refuse('`requestEveryMs` must be a number of milliseconds')
  const withinMs = eventually?.withinMs
  if (withinMs !== undefined && !(withinMs > 0 && Number.isFinite(withinMs)))
    refuse('`eventually.withinMs` must be a number of milliseconds above 0')
  if (eventually !== undefined && (typeof eventually.what !== 'string' || typeof eventually.holds !== 'function')) {
    refuse('`eventually` must have `what`, a text, and `holds`, a function')
  }
  if (model !== undefined && (typeof model.actions !== 'function' || typeof model.model?.apply !== 'function')) {
    refuse('`model` must have `model`, and `actions`, a function that maps an entry of the log to actions')
  }
  if (required !== undefined && !Array.isArray(required)) refuse('`required` must be an array of names of events')
}
