/** Loading a specification with its configuration, ready to be explored or followed. */
import { existsSync } from 'node:fs'
import type { Configuration } from '../configuration/configuration.ts'
import { parseConfiguration } from '../configuration/parse.ts'
import { isPassing, TlaError } from '../error.ts'
import { createSurroundings } from '../library/surroundings.ts'
import { readText } from '../read-text.ts'
import { loadModule } from '../semantics/load.ts'
import type { Module } from '../semantics/term.ts'
import type { Identifier } from '../syntax/ast.ts'
import { Arena } from '../values/arena.ts'
import { named } from '../values/refuse.ts'
import type { Value } from '../values/value.ts'
import type { Formula, Machine } from './machine.ts'
import { SpecificationMachine } from './specification-machine.ts'

export interface MachineOptions {
  /** A path, or what was read. Unless given: the file beside the specification of the same stem, if there is one. */
  readonly configuration?: string | Configuration
  /** Folders to look for modules in, after that of the specification. */
  readonly library?: readonly string[]
  /** Of random choices; 0 unless given. */
  readonly seed?: number
  /** Gets what the specification prints; standard output unless given. */
  print?(lines: string): void
  /** Files by name (`M.tla`, `M.cfg`) that stand for those on disk. */
  readonly files?: Readonly<Record<string, string>>
  /** Whether its states are to be explored, so that the configuration has to say how behaviours begin and go on. */
  readonly isExplored?: boolean
}

/**
 * @param specification the path of its file, with or without `.tla`
 * @throws TlaError of the kinds `syntax`, `semantics` and `configuration`
 */
export function loadMachine(specification: string, options: MachineOptions = {}): Machine {
  const { library, seed, print, files } = options
  const module = loadModule(specification, { library, files })
  const configuration = configurationOf(specification, options)
  if (options.isExplored && module.variables.length > 0) {
    assertBehaviours(specification, configuration)
    assertNotConstant(module, configuration, configuration?.init, 'what values the variables begin with, as `x = …`')
    assertNotConstant(module, configuration, configuration?.next, "what values they have next, as `x' = …`")
  }
  const machine = new SpecificationMachine(module, configuration, createSurroundings(new Arena(), { seed, print }))
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
 * @param said what it has to say of the variables
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
  // What the configuration puts in its place may be about a state.
  if (configuration?.constants.some((setting) => setting.name.name === symbol.name)) return
  throw new TlaError('configuration', `\`${symbol.name}\` reads no variable, so that it cannot say ${said}`, name!.at)
}

/** The value of a formula that is about no state; undefined if it has none, which is told with its place in the first state. */
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
  throw new TlaError('configuration', `\`${name}\` is ${named(value)}: expected a formula, which is TRUE or FALSE`, at)
}

/** A constraint that no state meets leaves nothing to explore, which would pass for a success. */
function assertNotFalse(formulas: readonly Formula[], name: Identifier): void {
  if (fixedValue(formulas, name) !== false) return
  throw new TlaError(
    'configuration',
    `\`${name.name}\` is FALSE, whatever the state: as a constraint it leaves out all`,
    name.at,
  )
}

function configurationOf(
  specification: string,
  { configuration, files = {} }: MachineOptions,
): Configuration | undefined {
  if (typeof configuration === 'object') return configuration
  const path = configuration ?? `${specification.replace(/\.tla$/, '')}.cfg`
  const text = Object.hasOwn(files, path) ? files[path] : existsSync(path) ? readText(path, 'configuration') : undefined
  if (text !== undefined) return parseConfiguration({ path, text })
  if (configuration === undefined) return undefined
  throw new TlaError('configuration', `there is no configuration file \`${path}\``)
}
