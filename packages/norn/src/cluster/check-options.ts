/** Validates the options of a cluster when it is declared. */
import { unknownText } from '../contract/known-names.ts'
import type { SearchLimits } from '../options/table.ts'
import { checkDeclared, checkLimits, LIMIT_NAMES } from '../options/values.ts'
import type { ClusterOptions } from './definition.ts'
import { FAULTS } from './faults/table.ts'

/** The compiler checks that this list is complete. */
const OWN = Object.keys({
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
  clock: 0,
  quiet: 0,
} satisfies Record<Exclude<keyof ClusterOptions, keyof SearchLimits>, 0>)

const OPTIONS = [...OWN, ...LIMIT_NAMES]

/** @throws TypeError unless the name is a non-empty string */
export function checkName(name: unknown): void {
  if (typeof name === 'string' && name !== '') return
  throw new TypeError('cluster(name, options): name must be a non-empty string')
}

/** @throws TypeError that names the wrong option and what it must be */
export function checkOptions<Request, State>(name: string, options: ClusterOptions<Request, State>): void {
  const refuse = (why: string): never => {
    throw new TypeError(`cluster('${name}', options): ${why}`)
  }
  if (typeof options !== 'object' || options === null) refuse('options must be an object')
  const { system, steps, network = {}, faults = {}, requests, eventually, model, frames } = options
  if (typeof system !== 'function')
    refuse('`system` must be a function that returns a system: `system: () => actors({ … })`')
  if (frames !== undefined && !(Array.isArray(frames) && frames.every((each) => Array.isArray(each?.frames))))
    refuse('`frames` must be an array of key frames: `[frames(name, [predicate, …]), …]`')
  const count = (value: unknown, what: string, least: number) => {
    if (value === undefined) return
    if (!Number.isSafeInteger(value) || (value as number) < least)
      refuse(`\`${what}\` must be an integer of at least ${least}`)
  }
  const known = (given: object, names: readonly string[], where = '') => {
    for (const key of Object.keys(given)) if (!names.includes(key)) refuse(`${where}${unknownText(key, names)}`)
  }
  known(options, OPTIONS)
  checkLimits(options, refuse)
  checkDeclared(options, refuse)
  count(steps, 'steps', 1)
  known(network, ['order', 'perStep', 'latencyMs'], '`network`: ')
  known(faults, FAULTS.map(({ option }) => option).sort(), '`faults`: ')
  count(network.perStep, 'network.perStep', 1)
  if (network.order !== undefined && network.order !== 'fifo' && network.order !== 'any')
    refuse("`network.order` must be 'fifo' or 'any'")
  if (network.latencyMs !== undefined && !(network.latencyMs >= 0 && Number.isFinite(network.latencyMs)))
    refuse('`network.latencyMs` must be a number of milliseconds')
  for (const [fault, quota] of Object.entries(faults)) count(quota, `faults.${fault}`, 0)
  const isArbitrary = typeof (requests as { generate?: unknown } | undefined)?.generate === 'function'
  if (requests !== undefined && !Array.isArray(requests) && !isArbitrary)
    refuse('`requests` must be an array or a fast-check arbitrary of arrays')
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
    refuse('`eventually` must have `what` (a string) and `holds` (a function)')
  }
  if (model !== undefined && (typeof model.actions !== 'function' || typeof model.model?.apply !== 'function')) {
    refuse('`model` must have `model` (a model) and `actions` (a function that maps a log entry to actions)')
  }
  for (const what of ['required', 'quiet'] as const) {
    if (options[what] !== undefined && !Array.isArray(options[what]))
      refuse(`\`${what}\` must be an array of event names`)
  }
}
