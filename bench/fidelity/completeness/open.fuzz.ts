// The open programs under norn: each prints the order that it saw.
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fuzz } from 'norn'
import { programs } from './programs.ts'

for (const [name, { run }] of Object.entries(programs)) {
  fuzz(name, {}, async () => {
    const folder = join(tmpdir(), 'open')
    mkdirSync(folder)
    console.log(await run((file) => join(folder, file)))
  })
}
