/**
 * The specifications of this process: each is read and compiled once, however often a model of it is made.
 *
 * The modules of a property are loaded anew for every execution, inside the controlled world, and with them every call of
 * `tlaModel`. So what was compiled is kept here, and files are read and looked at outside of the world (`readBy`). A
 * specification whose files changed since is compiled again; whether they did is told by their sizes and times.
 */
import { statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { parseConfiguration } from '../configuration/parse.ts'
import { TlaError } from '../error.ts'
import { type MachineOptions as LoadOptions, loadMachine } from '../evaluate/load.ts'
import type { Machine } from '../evaluate/machine.ts'
import { SharedMachine } from './shared-machine.ts'

/** What a specification is compiled with. */
export interface MachineOptions {
  /**
   * The path of the configuration, or its text; the file beside the specification, with the ending `.cfg`, unless set.
   */
  readonly configuration?: string | { readonly text: string }
  /** Folders in which modules are looked for that stand neither beside the specification nor in norn. */
  readonly library?: readonly string[]
  /** What chance of the specification (RandomElement and the like) begins with. */
  readonly seed?: number
}

/** As it was before any code under test could change it. */
const ROOT = process.cwd()

interface Kept {
  readonly shared: SharedMachine
  readonly files: readonly string[]
  readonly seen: string
}

const MACHINES = new Map<string, Kept>()
/** The one that was used longest ago goes. */
const MAX_MACHINES = 16

type Around = <Result>(action: () => Result) => Result

let around: Around = (action) => action()

/** Called once, where a world is installed: everything that touches files goes through it. */
export function readBy(outside: Around): void {
  around = outside
}

/**
 * The machine of a specification.
 *
 * @param path absolute
 * @throws Error that tells what is wrong with the specification, with the place
 */
export function sharedMachine(path: string, options: MachineOptions): SharedMachine {
  const { configuration, library, seed } = options
  const key = JSON.stringify([path, configuration, library, seed])
  return around(() => {
    const kept = MACHINES.get(key)
    MACHINES.delete(key)
    const current = kept !== undefined && kept.seen === seenOf(kept.files) ? kept : load(path, options)
    if (MACHINES.size >= MAX_MACHINES) MACHINES.delete(MACHINES.keys().next().value!)
    MACHINES.set(key, current)
    return current.shared
  })
}

function load(path: string, options: MachineOptions): Kept {
  try {
    // What a specification prints is for those who check it; who follows may run it a million times.
    const machine = loadNamed(path, options, ROOT, { print: () => {} })
    return { shared: new SharedMachine(machine), files: machine.files, seen: seenOf(machine.files) }
  } catch (error) {
    if (!(error instanceof TlaError)) throw error
    throw new Error(error.describe(), { cause: error })
  }
}

/**
 * A machine of its own for a specification as code names it.
 *
 * @param path absolute
 * @param folder at which relative paths in the options begin
 * @throws TlaError
 */
export function loadNamed(
  path: string,
  { configuration, library, seed }: MachineOptions,
  folder: string,
  more: Pick<LoadOptions, 'print' | 'isExplored'>,
): Machine {
  return loadMachine(shownPath(path), {
    ...(library === undefined ? {} : { library: library.map((at) => resolve(folder, at)) }),
    ...(seed === undefined ? {} : { seed }),
    ...(configuration === undefined
      ? {}
      : {
          configuration:
            typeof configuration === 'string'
              ? shownPath(resolve(folder, configuration))
              : parseConfiguration({ path: 'the configuration that was given as text', text: configuration.text }),
        }),
    ...more,
  })
}

/**
 * How messages name a file: from the working directory, so that they are the same on every machine. Files are read by that
 * name too; whoever has gone elsewhere since gets the whole path.
 */
export function shownPath(path: string): string {
  return process.cwd() === ROOT ? relative(ROOT, path) : path
}

function seenOf(files: readonly string[]): string {
  return files
    .map((file) => {
      const status = statSync(resolve(ROOT, file), { throwIfNoEntry: false })
      return status === undefined ? '' : `${status.mtimeMs}/${status.size}/${status.ino}`
    })
    .join()
}
