/** The documentation stays true: its output, its code, its links, its options and its length. */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { MAIN, project } from '../packages/norn/test/cli/project.ts'
import { packDocs } from '../scripts/pack-docs.ts'
import { fresh, namedBlocks, pages } from '../scripts/readme-output.ts'
import { ROOMS } from '../scripts/tidiness/layers.ts'

const ROOT = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** Documents written by hand, relative to the root. */
const DOCUMENTS = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], { cwd: ROOT })
  .toString()
  .trim()
  .split('\n')
  .filter((path) => existsSync(join(ROOT, path)))

/** Examples that a code block of a page may import, by the name of their file. */
const EXAMPLES = [
  'account/account.ts',
  'counter/counter.ts',
  'leader-election/election.ts',
  'lock/lock.ts',
  'lock/Lock.tla',
  'lock/Lock.cfg',
  'stdio/harness.py',
  'stdio/lock.py',
]

describe.each(pages())('%s', (page) => {
  const text = read(page)

  test.runIf(text.includes('<!-- output:'))(
    'shows what its commands print (node -C norn-source scripts/readme-output.ts writes it)',
    async () => {
      expect(text).toBe(await fresh(page))
    },
  )

  const runnable = namedBlocks(text).filter(([name]) => name.endsWith('.fuzz.ts'))
  // Example programs are held by the test of the output.
  const own = runnable.filter(([name]) => exampleWith(name) === undefined)
  test.runIf(own.length > 0).each(own)('%s ends as the page says', async (name, code) => {
    const { call, write } = project({ [name]: code })
    for (const file of EXAMPLES) write(file.replace(/.*\//, ''), read(`examples/${file}`))
    for (const [other, block] of namedBlocks(text)) write(other, block)
    const isFailing = text.includes(`<!-- fails -->\n\`\`\`ts\n// ${name}\n`)
    const isInconclusive = text.includes(`<!-- inconclusive -->\n\`\`\`ts\n// ${name}\n`)
    const runs = isFailing ? '5000' : '100'
    const { status, stdout } = await call('fuzz', name, '--seed', '1', '--runs', runs, '--no-shrink')
    expect(status, stdout).toBe(isFailing ? 1 : isInconclusive ? 3 : 0)
  })

  const shown = namedBlocks(text).filter(([name]) => exampleWith(name) !== undefined)
  test.runIf(shown.length > 0).each(shown)('%s is the one in examples/', (name, code) => {
    expect(code).toBe(read(exampleWith(name)!))
  })
})

/** The example with a file of this name, if there is one. */
function exampleWith(name: string): string | undefined {
  const stem = name.replace(/\..*/, '')
  const path = `examples/${stem}/${name}`
  return existsSync(join(ROOT, path)) && read(path).length > 0 && stem !== 'settings' ? path : undefined
}

test('every named code block compiles', () => {
  const folder = mkdtempSync(join(ROOT, 'node_modules/.docs-'))
  try {
    for (const page of pages()) {
      const place = join(folder, page.replaceAll('/', '-'))
      mkdirSync(place)
      for (const file of EXAMPLES) cpSync(join(ROOT, 'examples', file), join(place, file.replace(/.*\//, '')))
      for (const [name, code] of namedBlocks(read(page))) writeFileSync(join(place, name), code)
    }
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(ROOT, 'tsconfig.json'),
        include: ['*/*.ts', join(ROOT, 'packages/norn/src')],
        exclude: [join(ROOT, 'packages/norn/src/report/page/browser')],
      }),
    )
    const tsc = join(ROOT, 'node_modules/.bin/tsc')
    execFileSync(tsc, ['-p', folder], { cwd: folder, encoding: 'utf8' })
  } catch (error) {
    expect.fail(String((error as { stdout?: string }).stdout ?? error))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

describe('links', () => {
  test.each(DOCUMENTS)('of %s lead somewhere', (path) => {
    const text = read(path).replaceAll(/```[\s\S]*?```/g, '')
    const broken = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target) && !leadsSomewhere(path, target))
    expect(broken).toEqual([])
  })

  test('of the guide lead somewhere in the published package, too', () => {
    const target = mkdtempSync(join(tmpdir(), 'norn-docs-'))
    packDocs(target)
    const pages = readdirSync(target, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
    expect(pages).toContain('docs/getting-started.md')
    for (const page of pages) {
      const text = readFileSync(join(target, page), 'utf8').replaceAll(/```[\s\S]*?```/g, '')
      for (const [, to = ''] of text.matchAll(/\]\(([^)\s#]+)/g)) {
        expect(/^[a-z]+:/.test(to) || existsSync(resolve(target, dirname(page), to)), `${page}: ${to}`).toBe(true)
      }
    }
    rmSync(target, { recursive: true })
  })
})

function leadsSomewhere(path: string, target: string): boolean {
  const [file = '', anchor] = target.split('#')
  const place = file === '' ? path : relative(ROOT, resolve(ROOT, dirname(path), file))
  if (!existsSync(join(ROOT, place))) return false
  return anchor === undefined || anchors(read(place)).includes(anchor)
}

/** The anchors that GitHub gives to the headings of a page. */
function anchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('docs/reference.md', () => {
  const commands: [command: string, page: string, heading: RegExp][] = [
    ['fuzz', 'docs/reference.md', /^## norn fuzz[\s\S]*?(?=^## )/m],
    ['ui', 'docs/reference.md', /^## norn ui[\s\S]*?(?=^## )/m],
    ['replay', 'docs/reference.md', /^## norn replay[\s\S]*?(?=^## )/m],
    ['report', 'docs/reference.md', /^## norn report[\s\S]*?(?=^## )/m],
    ['shrink', 'docs/reference.md', /^## norn shrink[\s\S]*?(?=^## )/m],
    ['fleet work', 'docs/reference.md', /^## norn fleet work[\s\S]*?(?=^## )/m],
    ['fleet fuzz', 'docs/reference.md', /^## norn fleet fuzz[\s\S]*?(?=^## )/m],
    ['protocol check', 'docs/reference.md', /^## norn protocol[\s\S]*?(?=^## )/m],
    ['frames propose', 'docs/reference.md', /^## norn frames[\s\S]*?(?=^## )/m],
    ['history check', 'docs/histories.md', /^## Histories in files[\s\S]*?(?=^## )/m],
    ['tla check', 'docs/tla.md', /^## Options[\s\S]*?(?=^## )/m],
  ]

  test.each(commands)('norn %s: %s lists exactly its options', (command, page, heading) => {
    const args = ['--conditions=norn-source', MAIN, ...command.split(' '), '--help']
    const help = execFileSync(process.execPath, args, { encoding: 'utf8' })
    const declared = [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, option]) => option)
    const section = heading.exec(read(page))?.[0] ?? ''
    const listed = section
      .split('\n')
      .filter((line) => line.startsWith('| `--'))
      .flatMap((line) => line.split(' | ')[0]!.match(/--[\w-]+/g) ?? [])
    expect(listed.sort()).toEqual(declared.filter((option) => option !== '--help').sort())
  })
})

describe('the workflow of docs/ci.md', () => {
  interface Step {
    readonly run?: string
    readonly uses?: string
    readonly with?: Readonly<Record<string, string>>
  }
  const [, yaml = ''] = /```yaml\n# \.github[^\n]*\n([\s\S]*?)```/.exec(read('docs/ci.md')) ?? []
  const { steps } = parse(yaml).jobs.fuzz as { steps: readonly Step[] }
  const inputs = (action: string) => steps.find(({ uses = '' }) => uses.startsWith(`${action}@`))?.with ?? {}
  const command = steps.map(({ run = '' }) => run).find((run) => run.startsWith('npx norn '))!

  test('runs, caches the corpus, and uploads the files that it writes', async () => {
    const { call, root, write } = project({ 'package.json': '{}' })
    write(
      'test/fails.fuzz.ts',
      "import { fuzz } from 'norn'\n\nfuzz('fails', {}, async () => { throw new Error('x') })\n",
    )
    write('test/passes.fuzz.ts', "import { fuzz } from 'norn'\n\nfuzz('passes', {}, async () => {})\n")
    const args = command.replace('--time 5m', '--time 2s').split(' ').slice(2)
    const { status, stdout } = await call(...args)
    expect(status, stdout).toBe(1)
    const uploaded = inputs('actions/upload-artifact').path!.trim().split('\n')
    const named = [inputs('actions/cache').path!, inputs('github/codeql-action/upload-sarif').sarif_file!, ...uploaded]
    expect(named).toEqual(['.norn/corpus', 'norn.sarif', '.norn/failures', 'norn.xml'])
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})

describe('docs/architecture.md', () => {
  test('lists the rooms from the bottom, as they are', () => {
    const listed = [...read('docs/architecture.md').matchAll(/^\| ((?:`(?:domains\/)?\w+`(?:, )?)+) \|/gm)].flatMap(
      ([, names = '']) => names.match(/[\w/]+/g) ?? [],
    )
    // The folders of the world are rooms too, of which the page says only that they have an order.
    expect(listed).toEqual(ROOMS.filter((room) => !room.startsWith('world/')))
  })
})

test.each([
  ['README.md', 200],
  ['docs/architecture.md', 150],
])('%s has at most %i lines', (path, most) => {
  expect(read(path).trimEnd().split('\n').length).toBeLessThanOrEqual(most)
})
