// tar 7.5.23
//
// The race: `create` writes a file with several hard links before its links. If the link's stat is known before the
// file's, the archive ends while an entry is still to be written: "write after end".
//
// Zero input: an empty tree.
import { link, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fc, fuzz } from 'norn'
import { create } from 'tar'

const entry = fc.record({
  directory: fc.nat(2),
  /** Another name of an earlier file, or a file with so many bytes. */
  content: fc.oneof(fc.record({ bytes: fc.nat(5) }), fc.record({ link: fc.nat(7) })),
})

fuzz('tar: a tree with hard links is packed', { entries: fc.array(entry, { maxLength: 8 }) }, async ({ entries }) => {
  const directory = await mkdtemp(join(tmpdir(), 'norn-'))
  const root = join(directory, 'tree')
  const files: string[] = []
  for (const [index, { directory: number, content }] of entries.entries()) {
    const parent = number === 0 ? root : join(root, `d${number}`)
    await mkdir(parent, { recursive: true })
    const path = join(parent, `f${index}`)
    const target = 'link' in content ? files[content.link] : undefined
    if (target !== undefined) await link(target, path)
    else await writeFile(path, 'x'.repeat('bytes' in content ? content.bytes : 0))
    files.push(path)
  }
  await mkdir(root, { recursive: true })
  await create({ cwd: directory, file: join(directory, 'tree.tar') }, ['tree'])
})
