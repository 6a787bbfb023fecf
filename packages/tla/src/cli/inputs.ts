/** The files that a command names: the specification and its configuration. */
import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { UsageError } from '#shared/cli/exit-status'
import type { Configuration } from '../configuration/configuration.ts'
import { parseConfiguration } from '../configuration/parse.ts'
import { readText } from '../node/read-text.ts'

/** Options that replace a configuration, or add to it. */
export interface ConfigurationOptions {
  readonly config?: string
  readonly library: readonly string[]
  readonly init?: string
  readonly next?: string
  readonly invariant: readonly string[]
  /** `N=3` each. */
  readonly constant: readonly string[]
}

/** The path of the root module. @throws UsageError if there is no such file */
export function specificationFile(named: string): string {
  const path = [named, `${named}.tla`].find(isFile)
  if (path === undefined) {
    if (isFolder(named))
      throw new UsageError(`${named} is a folder: expected the file of a module, with or without .tla`)
    throw new UsageError(`no such file: ${named.endsWith('.tla') ? named : `${named}.tla`} in ${process.cwd()}`)
  }
  if (!path.endsWith('.tla')) throw new UsageError(`${named}: expected the file of a module, with the ending .tla`)
  return path
}

/**
 * The configuration of a specification, with the additions of the options.
 *
 * @throws UsageError if there is none; TlaError if it is wrong
 */
export function configurationOf(specification: string, options: ConfigurationOptions): Configuration {
  const added = optionsText(options)
  const path = configurationFile(specification, options)
  if (path === undefined) {
    if (options.init === undefined || options.next === undefined) throw missingConfiguration(specification)
    return parseConfiguration({ path: '(options)', text: added })
  }
  const configuration = parseConfiguration({ path, text: readText(path, 'configuration') })
  if (added === '') return configuration
  const addition = parseConfiguration({ path: '(options)', text: added })
  // An option replaces the constant of the configuration.
  const set = new Set(addition.constants.map(({ name }) => name.name))
  const { specification: whole, init, next, ...rest } = configuration
  const relation =
    addition.init === undefined && addition.next === undefined
      ? { specification: whole, init, next }
      : { init: addition.init ?? init, next: addition.next ?? next }
  return {
    ...rest,
    ...relation,
    constants: [...configuration.constants.filter(({ name }) => !set.has(name.name)), ...addition.constants],
    invariants: [...configuration.invariants, ...addition.invariants],
  }
}

function configurationFile(specification: string, { config }: ConfigurationOptions): string | undefined {
  if (config === undefined) return [`${stemOf(specification)}.cfg`].find(isFile)
  const path = [config, `${config}.cfg`].find(isReadable)
  if (path === undefined) {
    throw new UsageError(`--config ${config}: ${isFolder(config) ? 'expected a file, found a folder' : 'no such file'}`)
  }
  return path
}

function optionsText({ init, next, invariant, constant }: ConfigurationOptions): string {
  const wrong = constant.find((assignment) => !/=|<-/.test(assignment))
  if (wrong !== undefined) throw new UsageError(`--constant ${wrong}: expected NAME=VALUE, such as N=3`)
  return [
    ...(init === undefined ? [] : [`INIT ${init}`]),
    ...(next === undefined ? [] : [`NEXT ${next}`]),
    ...invariant.map((name) => `INVARIANT ${name}`),
    ...constant.map((assignment) => `CONSTANT ${assignment}`),
  ].join('\n')
}

/** The example uses the module's own definitions, so that it can be copied. */
function missingConfiguration(specification: string): UsageError {
  const text = readText(specification, 'semantics')
  const defines = (name: string) => new RegExp(`^\\s*${name}\\s*==`, 'm').test(text)
  const stem = stemOf(specification)
  const others = configurationsOf(stem)
  if (others.length > 0) {
    return new UsageError(`no configuration ${stem}.cfg; name another file with --config: ${others.join(', ')}`)
  }
  const invariant = ['TypeOK', 'TypeInvariant', 'Inv', 'Invariant'].find(defines)
  const relation = defines('Spec') || !defines('Init') ? ['SPECIFICATION Spec'] : ['INIT Init', 'NEXT Next']
  const constants = /^\s*CONSTANTS?\s+(\w+)/m.exec(text)?.[1]
  return new UsageError(
    [
      `no configuration ${stem}.cfg; name another file with --config, or write one:`,
      '',
      ...relation.map((line) => `    ${line}`),
      ...(constants === undefined ? [] : [`    CONSTANT ${constants} = 3`]),
      ...(invariant === undefined ? [] : [`    INVARIANT ${invariant}`]),
      '',
      `or pass options: --init Init --next Next${invariant === undefined ? '' : ` --invariant ${invariant}`}${constants === undefined ? '' : ` --constant ${constants}=3`}`,
    ].join('\n'),
  )
}

/** Configurations whose names begin with that of the specification, sorted. */
function configurationsOf(stem: string): readonly string[] {
  const folder = dirname(stem)
  const names = readdirSync(folder).filter((name) => name.startsWith(basename(stem)) && name.endsWith('.cfg'))
  return names
    .sort()
    .slice(0, MAX_CONFIGURATIONS)
    .map((name) => join(folder, name))
}

const MAX_CONFIGURATIONS = 12

function stemOf(specification: string): string {
  return specification.replace(/\.tla$/, '')
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/** A file, or the pipe that a shell makes of the output of a command. */
function isReadable(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
