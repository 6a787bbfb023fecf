/**
 * The modules that code under test shares with norn: everything else is instantiated anew for each execution.
 */
import * as fastCheck from 'fast-check'
import * as norn from './fuzz.ts'

export function sharedModules(): ReadonlyMap<string, object> {
  return new Map<string, object>([
    ['norn', norn],
    ['fast-check', fastCheck],
  ])
}
