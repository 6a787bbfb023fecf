/**
 * Specifications as code names them: by a URL or a path, with their configuration and folders of
 * modules.
 */
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseConfiguration } from '../configuration/parse.ts'
import { TlaError } from '../error/error.ts'
import type { Machine } from '../evaluate/machine.ts'
import { type LoadOptions, loadMachine } from './load.ts'

/**
 * How a specification is compiled. Relative paths begin at the working directory.
 *
 * @public
 */
export interface NamedOptions {
  /**
   * The file of the configuration, or its text; by default the file beside the specification with
   * the ending `.cfg`.
   */
  readonly configuration?: string | URL | { readonly text: string }
  /** Folders to look for modules in, after that of the specification. None by default. */
  readonly library?: readonly (string | URL)[]
  /** Seed of random choices of the specification (RandomElement and the like); 0 by default. */
  readonly seed?: number
}

/** The working directory, before any code under test could change it. */
const ROOT = process.cwd()

/** The absolute path of a file that code names. */
export function pathOf(file: string | URL): string {
  return typeof file === 'string' ? resolve(ROOT, file) : fileURLToPath(file)
}

/**
 * Loads a specification by URL or path.
 *
 * @throws Error for an invalid specification or configuration, with the location
 */
export function loadNamed(
  specification: string | URL,
  { configuration, library, seed }: NamedOptions,
  more: Pick<LoadOptions, 'print' | 'now' | 'isExplored'>,
): Machine {
  return described(() => {
    const machine = loadMachine(shownPath(pathOf(specification)), {
      library: library?.map(pathOf),
      seed,
      configuration:
        typeof configuration === 'object' && 'text' in configuration
          ? parseConfiguration({ path: 'the configuration that was given as text', text: configuration.text })
          : configuration && shownPath(pathOf(configuration)),
      ...more,
    })
    // Compiles it, which may find that definitions never end.
    if (more.isExplored) void machine.parts
    return machine
  })
}

/** Runs `run`, and turns a TlaError into an Error with the full text. */
export function described<Result>(run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof TlaError)) throw error
    throw new Error(error.describe(), { cause: error })
  }
}

/**
 * How messages name a file: relative to the working directory, so that they are the same on every
 * machine. Files are read by that name too; where the process has changed its directory since, it
 * is the absolute path.
 */
export function shownPath(path: string): string {
  return process.cwd() === ROOT ? relative(ROOT, path) : path
}
