// Generated programs under norn: each prints the order of its callbacks, or searches for one order.
import { mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fuzz, target } from 'norn'
import type { Case } from './norn.ts'
import { run } from './program.ts'

const cases: readonly Case[] = JSON.parse(readFileSync(process.env.GENERATED_PROGRAMS!, 'utf8'))

for (const { name, program, wanted } of cases) {
  fuzz(name, {}, async () => {
    const folder = join(tmpdir(), 'generated')
    mkdirSync(folder)
    const order = await run(program, (file) => join(folder, file))
    if (wanted === undefined) console.log(order)
    else if (order === wanted) throw new Error('reached')
    else target(commonPrefix(order, wanted), 'letters in place')
  })
}

function commonPrefix(order: string, wanted: string): number {
  let length = 0
  while (order[length] === wanted[length]) length++
  return length
}
