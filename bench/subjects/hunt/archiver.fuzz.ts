// archiver: every entry is in the archive, whole and in order, and finalize() resolves.
import assert from 'node:assert/strict'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { TarArchive } from 'archiver'
import { fc, fuzz } from 'norn'
import { pause } from './pause.ts'

const entry = fc.record({
  wait: fc.nat(2),
  size: fc.integer({ min: 0, max: 1500 }),
  kind: fc.constantFrom('buffer', 'file', 'stream'),
})

fuzz(
  'archiver: every entry is in the archive',
  { entries: fc.array(entry, { minLength: 1, maxLength: 4 }) },
  async ({ entries }) => {
    const root = await mkdtemp(join(tmpdir(), 'archiver-'))
    for (const [index, { size }] of entries.entries()) await writeFile(join(root, `${index}`), `${index}`.repeat(size))
    const archive = new TarArchive({})
    const output = createWriteStream(join(root, 'out.tar'))
    const errors: unknown[] = []
    for (const event of ['error', 'warning']) archive.on(event, (error: unknown) => errors.push(error))
    archive.pipe(output)
    for (const [index, { wait, size, kind }] of entries.entries()) {
      await pause(wait)
      const [name, path] = [`${index}`, join(root, `${index}`)]
      if (kind === 'file') archive.file(path, { name })
      else archive.append(kind === 'buffer' ? Buffer.from(name.repeat(size)) : createReadStream(path), { name })
    }
    await Promise.all([archive.finalize(), finished(output)])
    assert.deepEqual(errors, [])
    const bytes = await readFile(join(root, 'out.tar'))
    const found: Record<string, string> = {}
    for (let at = 0; at + 512 <= bytes.length && bytes[at] !== 0; ) {
      const name = bytes.toString('latin1', at, at + 100).replace(/\0.*$/s, '')
      const size = Number.parseInt(bytes.toString('latin1', at + 124, at + 136), 8)
      found[name] = bytes.toString('latin1', at + 512, at + 512 + size)
      at += 512 + Math.ceil(size / 512) * 512
    }
    assert.deepEqual(found, Object.fromEntries(entries.map(({ size }, index) => [`${index}`, `${index}`.repeat(size)])))
  },
)
