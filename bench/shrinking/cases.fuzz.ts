/** The cases as norn's properties. */
import { access } from 'node:fs/promises'
import { fuzz } from 'norn'
import { CASES, failOn } from './cases.ts'
import { ringCommands, runRing } from './ring.ts'
import { swapped } from './swap.ts'

for (const [name, { arbitrary, fails }] of Object.entries(CASES)) {
  fuzz(name, { value: arbitrary }, ({ value }) => {
    if (fails(value)) failOn(value)
  })
}

fuzz('schedule with a swap', {}, () => swapped(() => access(import.meta.dirname)))

fuzz('command sequence', { commands: ringCommands() }, ({ commands }) => runRing(commands))
