/** Where the built harness is. */
import { join } from 'node:path'

/** Everything that is built; git ignores it. */
const BUILT = join(import.meta.dirname, '.build')

/**
 * The path of the harness around the library, or around a mutant of it.
 *
 * @param isCovered whether its answers hold the hits of the library's blocks
 */
export function binaryOf(mutant?: string, isCovered = false): string {
  const name = mutant === undefined ? 'etcd-raft' : join('mutants', mutant)
  return join(BUILT, isCovered ? `${name}-covered` : name)
}
