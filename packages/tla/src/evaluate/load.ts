/** Creates the machine of a resolved module and its configuration. */
import type { Configuration } from '../configuration/configuration.ts'
import { isPassing, TlaError } from '../error/error.ts'
import { BARE_PLATFORM, type Platform } from '../library/platform.ts'
import { createSurroundings } from '../library/surroundings.ts'
import type { Module } from '../semantics/term.ts'
import type { Identifier } from '../syntax/ast.ts'
import { Arena } from '../values/arena.ts'
import { named } from '../values/refuse.ts'
import type { Value } from '../values/value.ts'
import type { Formula, Machine } from './machine.ts'
import { SpecificationMachine } from './specification-machine.ts'

export interface MachineOptions {
  /** Seed of random choices. Default: 0. */
  readonly seed?: number
  /** Called with the output of the specification. Default: standard output. */
  print?(lines: string): void
  /** The time for JavaTime and TLCGet, in milliseconds since 1970. Default: `Date.now`. */
  now?(): number
  /** Whether its states are explored, so that the configuration must name a behaviour. */
  readonly isExplored?: boolean
  /** Default: without files, environment and memory limit. */
  readonly platform?: Platform
}

/** @throws TlaError of kind `configuration` */
export function createMachine(
  module: Module,
  configuration: Configuration | undefined,
  options: MachineOptions = {},
): Machine {
  const { seed, print, now, platform = BARE_PLATFORM } = options
  if (options.isExplored && module.variables.length > 0) {
    assertBehaviours(module.at.source.path, configuration)
    assertNotConstant(module, configuration, configuration?.init, 'initial values, as `x = …`')
    assertNotConstant(module, configuration, configuration?.next, "next values, as `x' = …`")
  }
  const surroundings = createSurroundings(new Arena(platform.memory), { seed, print, now, platform })
  const machine = new SpecificationMachine(module, configuration, surroundings)
  if (options.isExplored) {
    const { constraints = [], actionConstraints = [], invariants = [] } = configuration ?? {}
    for (const name of invariants) fixedValue(machine.invariants, name)
    for (const name of constraints) assertNotFalse(machine.constraints, name)
    for (const name of actionConstraints) assertNotFalse(machine.actionConstraints, name)
  }
  return machine
}

/** @throws TlaError */
function assertBehaviours(specification: string, configuration: Configuration | undefined): void {
  if (configuration?.specification !== undefined) return
  const missing = [
    ...(configuration?.init === undefined ? ['INIT, the initial predicate'] : []),
    ...(configuration?.next === undefined ? ['NEXT, the next-state relation'] : []),
  ]
  if (missing.length === 0) return
  const where =
    configuration === undefined
      ? `${specification}: without a configuration beside it, it`
      : `${configuration.source.path}: the configuration`
  const what = missing.length === 2 ? 'neither SPECIFICATION nor INIT and NEXT' : `no ${missing[0]}`
  throw new TlaError(
    'configuration',
    `${where} names ${what}: expected \`SPECIFICATION Spec\`, or \`INIT Init\` and \`NEXT Next\``,
  )
}

/**
 * As in TLC, `TRUE` is neither an initial predicate nor a next-state relation.
 *
 * @param said the values that it should give to the variables
 * @throws TlaError
 */
function assertNotConstant(
  module: Module,
  configuration: Configuration | undefined,
  name: Identifier | undefined,
  said: string,
): void {
  const symbol = name && module.names.get(name.name)?.symbol
  if (symbol?.kind !== 'definition' || symbol.level !== 'constant' || symbol.parameters.length > 0) return
  // A replacement by the configuration may read variables.
  if (configuration?.constants.some((setting) => setting.name.name === symbol.name)) return
  throw new TlaError(
    'configuration',
    `\`${symbol.name}\` reads no variable, so it cannot give the variables their ${said}`,
    name!.at,
  )
}

/** The value of a formula that reads no state; undefined if it fails, as the first state reports. */
function fixedValue(formulas: readonly Formula[], { name, at }: Identifier): boolean | undefined {
  const formula = formulas.find((each) => each.name === name)!
  if (formula.reads()?.length !== 0) return undefined
  let value: Value
  try {
    value = formula.evaluate()
  } catch (error) {
    if (!isPassing(error)) throw error
    return undefined
  }
  if (typeof value === 'boolean') return value
  throw new TlaError('configuration', `\`${name}\` is ${named(value)}: expected TRUE or FALSE`, at)
}

/** A constraint that is always false leaves nothing to explore, so that the check would pass. */
function assertNotFalse(formulas: readonly Formula[], name: Identifier): void {
  if (fixedValue(formulas, name) !== false) return
  throw new TlaError(
    'configuration',
    `\`${name.name}\` is FALSE in every state: as a constraint it excludes all states`,
    name.at,
  )
}
