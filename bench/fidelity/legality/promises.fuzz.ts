// What Node promises, under norn: each fails as soon as a schedule breaks it.
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fuzz } from 'norn'
import { atTheEnd, promises } from './promises.ts'

for (const [name, body] of Object.entries({ ...promises, ...atTheEnd })) {
  fuzz(name, {}, () => {
    const folder = join(tmpdir(), 'promises')
    mkdirSync(folder)
    return body((file) => join(folder, file))
  })
}
