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
import type { Machine } from './machine.ts'
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
    for (const name of [...(configuration?.constraints ?? []), ...(configuration?.actionConstraints ?? [])]) {
      if (isConstant(module, configuration, name)) assertNotFalse(machine, name)
    }
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
  if (name === undefined || !isConstant(module, configuration, name)) return
  throw new TlaError('configuration', `\`${name.name}\` reads no variable, so that it cannot say ${said}`, name.at)
}

/** Whether it is a definition that is about no state. What the configuration puts in its place may be about one. */
function isConstant(module: Module, configuration: Configuration | undefined, { name }: Identifier): boolean {
  const symbol = module.names.get(name)?.symbol
  if (symbol?.kind !== 'definition' || symbol.level !== 'constant' || symbol.parameters.length > 0) return false
  return !configuration?.constants.some((setting) => setting.name.name === name)
}

/** A constraint that no state meets leaves nothing to explore, which would pass for a success. */
function assertNotFalse(machine: Machine, { name, at }: Identifier): void {
  const formula = [...machine.constraints, ...machine.actionConstraints].find((each) => each.name === name)!
  try {
    if (formula.holds()) return
  } catch (error) {
    // Told with its place when it is evaluated in a state.
    if (!isPassing(error)) throw error
    return
  }
  throw new TlaError('configuration', `\`${name}\` is FALSE, whatever the state: as a constraint it leaves out all`, at)
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
