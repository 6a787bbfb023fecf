/** Where the built harness is. */
import { join } from 'node:path'

/** Everything that is built; git ignores it. */
const BUILT = join(import.meta.dirname, '.build')

/** The path of the harness around the library, or around a mutant of it. */
export function binaryOf(mutant?: string): string {
  return join(BUILT, mutant === undefined ? 'etcd-raft' : join('mutants', mutant))
}
