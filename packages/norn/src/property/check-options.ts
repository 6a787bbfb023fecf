/** Validates the options of a property, so that a typing error is reported where it is made. */
import { FAULT_KINDS } from '../contract/execution.ts'
import { unknownText } from '../contract/known-names.ts'
import { checkNetwork, checkSlow } from '../options/check-latencies.ts'
import { type Refuse, shown } from '../options/refusal.ts'
import type { SearchLimits } from '../options/table.ts'
import { checkDeclared, checkLimits, LIMIT_NAMES } from '../options/values.ts'
import { checkCommands } from './check-commands.ts'
import { checkHosts } from './check-hosts.ts'
import type { PropertyOptions } from './property.ts'

/** All there are; the types ensure that none is missing. */
const OWN = Object.keys({
  examples: 0,
  maxLatencyMs: 0,
  maxSteps: 0,
  maxVirtualMs: 0,
  faults: 0,
  clock: 0,
  hosts: 0,
  network: 0,
  slow: 0,
  commands: 0,
  required: 0,
} satisfies Record<Exclude<keyof PropertyOptions, keyof SearchLimits>, 0>)

const OPTIONS = [...LIMIT_NAMES, ...OWN]

const RENAMED: Readonly<Record<string, string>> = { latenessMs: 'maxLatencyMs' }

/** @throws TypeError or RangeError for an invalid option */
export function checkOptions(property: string, options: unknown): void {
  const refuse: Refuse = (why) => {
    throw new TypeError(`fuzz('${property}'): ${why}`)
  }
  if (typeof options !== 'object' || options === null) refuse(`options must be an object: ${shown(options)}`)
  const given = options as PropertyOptions
  for (const key of Object.keys(given)) {
    if (key in RENAMED) refuse(`option ${key} is now ${RENAMED[key]}. Rename it`)
    if (!OPTIONS.includes(key)) refuse(unknownText(key, OPTIONS))
  }
  checkLimits(given, refuse)
  const { maxLatencyMs, maxVirtualMs, maxSteps } = given
  for (const [key, value] of Object.entries({ maxLatencyMs, maxVirtualMs }))
    if (value !== undefined && !(typeof value === 'number' && value >= 0 && Number.isFinite(value)))
      refuse(`option ${key} must be a number of milliseconds: ${shown(value)}`)
  if (maxSteps !== undefined && !(Number.isSafeInteger(maxSteps) && maxSteps >= 1))
    refuse(`option maxSteps must be an integer from 1: ${shown(maxSteps)}`)
  checkFaults(property, given.faults)
  checkDeclared(given, refuse)
  checkHosts(given.hosts, refuse)
  checkNetwork(given.network, refuse)
  checkSlow(given.slow, refuse)
  checkCommands(given.commands, refuse)
}

const KINDS: readonly string[] = FAULT_KINDS

const MAX_FAULTS = 1000

/** The number of faults of each kind that an execution may have. */
function checkFaults(property: string, faults: unknown): void {
  if (faults === undefined) return
  const where = `fuzz('${property}'): option faults`
  const example = 'such as { fs: 2 } for at most two file system faults in an execution'
  if (typeof faults !== 'object' || faults === null || Array.isArray(faults)) {
    throw new TypeError(`${where} must be an object: ${shown(faults)}. Write an object ${example}`)
  }
  for (const [kind, count] of Object.entries(faults)) {
    if (!KINDS.includes(kind)) {
      throw new TypeError(`${where} has an unknown kind of fault: '${kind}'. Known kinds: ${KINDS.join(', ')}`)
    }
    if (count === undefined) continue
    if (!Number.isInteger(count) || (count as number) < 0 || (count as number) > MAX_FAULTS) {
      throw new RangeError(`${where}.${kind} must be an integer from 0 to ${MAX_FAULTS}: ${shown(count)}`)
    }
  }
}
