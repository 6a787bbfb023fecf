/** Parses and checks specifications given as strings. */
import { assertBounds, type CheckedSpecification, checkMachine } from './check/check.ts'
import type { CheckOptions } from './check/run.ts'
import { parseConfiguration } from './configuration/parse.ts'
import { TlaError } from './error/error.ts'
import { createMachine, type MachineOptions } from './evaluate/load.ts'
import type { Machine } from './evaluate/machine.ts'
import { modulesInMemory } from './semantics/library.ts'
import { loadModule, type Warning, warningsOf } from './semantics/load.ts'
import type { Module } from './semantics/term.ts'

/**
 * A specification as strings.
 *
 * @public
 */
export interface SpecificationTexts {
  /** The text of the root module. */
  readonly module: string
  /** The texts of other modules, by name. The standard and community modules are built in. */
  readonly modules?: Readonly<Record<string, string>>
  /** The text of the configuration, as in a `.cfg` file. */
  readonly configuration?: string
}

/**
 * The options of `checkSpecification` for texts.
 *
 * @public
 */
export interface CheckTextsOptions extends CheckOptions {
  /** Whether the result has the counts of all actions; default false. */
  readonly coverage?: boolean
  /** Called with the output of the specification (`PrintT`); default `console.log`. */
  readonly print?: (lines: string) => void
}

/**
 * The declarations and definitions of a module.
 *
 * @public
 */
export interface ParsedModule {
  readonly name: string
  readonly constants: readonly string[]
  readonly variables: readonly string[]
  readonly definitions: readonly string[]
  /** Legal constructs that are probably mistakes. */
  readonly warnings: readonly Warning[]
}

/**
 * Parses a module with the modules that it extends and instantiates, and checks names, arities and
 * levels.
 *
 * @public
 * @throws TlaError with the location; `describe()` gives the full text
 */
export function parseSpecification(texts: SpecificationTexts): ParsedModule {
  const module = moduleOf(texts)
  return {
    name: module.name,
    constants: module.constants.map(({ name }) => name),
    variables: module.variables.map(({ name }) => name),
    definitions: [...module.names.keys()],
    warnings: warningsOf(module),
  }
}

/**
 * Checks the assumptions of a specification, then explores all states breadth-first, or simulates.
 * Blocks the thread until it ends or reaches a bound: run it in a worker if the state space may be
 * large.
 *
 * @public
 * @throws TlaError for an invalid specification or configuration; TypeError for an invalid option
 */
export function checkSpecification(texts: SpecificationTexts, options: CheckTextsOptions = {}): CheckedSpecification {
  assertBounds(options)
  const begunMs = performance.now()
  const machine = machineOf(texts, { seed: options.seed, print: options.print, isExplored: true })
  // Compiles the next-state relation, so that its errors are thrown here.
  void machine.parts
  return checkMachine(machine, options, { begunMs })
}

/** The machine of a specification. @throws TlaError */
function machineOf(texts: SpecificationTexts, options: MachineOptions): Machine {
  const { configuration } = texts
  const module = moduleOf(texts)
  const path = `${module.name}.cfg`
  return createMachine(
    module,
    configuration === undefined ? undefined : parseConfiguration({ path, text: configuration }),
    options,
  )
}

const NAME = /^[ \t]*-{4,}[ \t]*MODULE[ \t]+(\w+)/m

function moduleOf({ module, modules = {} }: SpecificationTexts): Module {
  const name = NAME.exec(module)?.[1]
  if (name === undefined) throw new TlaError('syntax', 'the text has no module: start it with `---- MODULE Name ----`')
  return loadModule({ path: `${name}.tla`, text: module }, modulesInMemory(modules))
}
