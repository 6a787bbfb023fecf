/** Machines of small specifications that stand in a test. */

import type { Machine } from '../src/evaluate/machine.ts'
import { loadMachine } from '../src/node/load.ts'

/** @param text the units of a module that is called `Spec` */
export function machineOf(text: string, configuration = 'INIT Init\nNEXT Next\n'): Machine {
  const files = { 'Spec.tla': `---- MODULE Spec ----\n${text}\n====\n`, 'Spec.cfg': configuration }
  return loadMachine('Spec.tla', { files, print: () => {} })
}
