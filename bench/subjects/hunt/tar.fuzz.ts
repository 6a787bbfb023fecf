// tar: a tree of files and hard links is the same after create and extract.
import assert from 'node:assert/strict'
import { link, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fc, fuzz } from 'norn'
import * as tar from 'tar'

const path = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }).map((p) => `${p.join('/')}.txt`)

fuzz(
  'tar: hard links survive create and extract',
  { links: fc.uniqueArray(path, { maxLength: 4 }), original: path },
  async ({ links, original }) => {
    fc.pre(!links.includes(original))
    const root = await mkdtemp(join(tmpdir(), 'tar-'))
    const [source, target] = [join(root, 'in'), join(root, 'out')]
    await mkdir(join(source, dirname(original)), { recursive: true })
    await mkdir(target)
    await writeFile(join(source, original), 'content')
    for (const name of links) {
      await mkdir(join(source, dirname(name)), { recursive: true })
      await link(join(source, original), join(source, name))
    }
    await tar.create({ cwd: source, file: join(root, 'o.tar') }, ['.'])
    await tar.extract({ cwd: target, file: join(root, 'o.tar'), strict: true })
    for (const name of [original, ...links]) assert.equal(await readFile(join(target, name), 'utf8'), 'content')
  },
)
