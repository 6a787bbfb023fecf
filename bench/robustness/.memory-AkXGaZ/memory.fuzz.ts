import { AsyncLocalStorage } from 'node:async_hooks'
import fsp from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parse, stringify } from 'devalue'
import { fc, fuzz } from 'norn'

const store = new AsyncLocalStorage()
const file = tmpdir() + '/norn-memory'
fuzz('body', { n: fc.integer({ min: 0, max: 100 }) }, async () => {
    await fsp.writeFile(file, 'x'.repeat(100))
    await Promise.all([fsp.readFile(file), fsp.appendFile(file, 'y'), fsp.stat(file)])
    await fsp.rm(file)
})
void [store, fsp, file, PassThrough, Readable, pipeline, parse, stringify]
