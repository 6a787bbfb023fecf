/** Loads a specification with its configuration from files. */
import { existsSync } from 'node:fs'
import type { Configuration } from '../configuration/configuration.ts'
import { parseConfiguration } from '../configuration/parse.ts'
import { TlaError } from '../error/error.ts'
import { createMachine, type MachineOptions } from '../evaluate/load.ts'
import type { Machine } from '../evaluate/machine.ts'
import { loadModule, type ModuleFilesOptions } from './module-files.ts'
import { NODE_PLATFORM } from './platform.ts'
import { readText } from './read-text.ts'

export interface LoadOptions extends Omit<MachineOptions, 'platform'>, ModuleFilesOptions {
  /** A path, or its content. Default: the file of the same stem next to the specification, if any. */
  readonly configuration?: string | Configuration
}

/**
 * @param specification the path of its file, with or without `.tla`
 * @throws TlaError of the kinds `syntax`, `semantics` and `configuration`
 */
export function loadMachine(specification: string, options: LoadOptions = {}): Machine {
  const module = loadModule(specification, options)
  return createMachine(module, configurationOf(specification, options), { ...options, platform: NODE_PLATFORM })
}

function configurationOf(specification: string, { configuration, files = {} }: LoadOptions): Configuration | undefined {
  if (typeof configuration === 'object') return configuration
  const path = configuration ?? `${specification.replace(/\.tla$/, '')}.cfg`
  const text = Object.hasOwn(files, path) ? files[path] : existsSync(path) ? readText(path, 'configuration') : undefined
  if (text !== undefined) return parseConfiguration({ path, text })
  if (configuration === undefined) return undefined
  throw new TlaError('configuration', `there is no configuration file \`${path}\``)
}
