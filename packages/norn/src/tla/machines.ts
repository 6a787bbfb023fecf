/**
 * The specifications of this process: each is read and compiled once, however often a model of it
 * is made.
 *
 * The modules of a property are loaded anew for every execution, and with them every call of
 * `tlaModel`. So compiled specifications are kept here, and files are read outside of the
 * controlled world. A specification whose files have changed (by size and time) is compiled again.
 */
import { statSync } from 'node:fs'
import type { NamedOptions } from 'norn-tla/node'
import { loadNamed, pathOf } from 'norn-tla/node/internal'
import { outside } from '../world/realm/outside.ts'
import { SharedMachine } from './shared-machine.ts'

interface Kept {
  readonly shared: SharedMachine
  readonly files: readonly string[]
  /** The sizes and times of the files. */
  readonly seen: string
}

const MACHINES = new Map<string, Kept>()
/** The least recently used one is dropped. */
const MAX_MACHINES = 16

/**
 * The machine of a specification.
 *
 * @throws Error that says what is wrong with the specification, with the place
 */
export function sharedMachine(specification: string | URL, options: NamedOptions): SharedMachine {
  const { configuration, library, seed } = options
  return outside(() => {
    const key = JSON.stringify([pathOf(specification), configuration, library, seed])
    const kept = MACHINES.get(key)
    MACHINES.delete(key)
    const current = kept !== undefined && kept.seen === seenOf(kept.files) ? kept : load(specification, options)
    if (MACHINES.size >= MAX_MACHINES) MACHINES.delete(MACHINES.keys().next().value!)
    MACHINES.set(key, current)
    return current.shared
  })
}

function load(specification: string | URL, options: NamedOptions): Kept {
  // Output is for checks; an execution may evaluate a specification a million times. Its time stands still: a
  // machine is renewed when memory is full, and must not turn the clock of the execution in which that happens.
  const machine = loadNamed(specification, options, { print: () => {}, now: () => 0 })
  return { shared: new SharedMachine(machine), files: machine.files, seen: seenOf(machine.files) }
}

function seenOf(files: readonly string[]): string {
  return files
    .map((file) => {
      const status = statSync(pathOf(file), { throwIfNoEntry: false })
      return status === undefined ? '' : `${status.mtimeMs}/${status.size}/${status.ino}`
    })
    .join()
}
