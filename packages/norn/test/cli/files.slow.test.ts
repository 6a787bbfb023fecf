/** Which files a call of `norn fuzz` runs: those it names, those below folders, and those of globs. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Project, parsed, project } from './project.ts'

const property = (name: string) => `import { fuzz } from 'norn'\nfuzz('${name}', {}, () => {})\n`
const BROKEN = "import { fuzz } from 'norn'\nimport './gone.ts'\nfuzz('broken', {}, () => {})\n"

const here = project({
  'a.fuzz.ts': property('a'),
  'deep/er/b.fuzz.mjs': property('b'),
  'deep/c.test.ts': property('c'),
  'deep/node_modules/d.fuzz.ts': property('of a package'),
  '.hidden/e.fuzz.ts': property('hidden'),
})
const broken = project({ 'first.fuzz.ts': BROKEN, 'second.fuzz.ts': property('second') })

/** The properties that were run, and the files that did not load. */
async function ran(project: Project, ...args: string[]) {
  const { status, stdout, stderr } = await project.call('fuzz', ...args, '--runs', '3', '--seed', '1', '--json')
  const lines = parsed(stdout)
  const of = (type: string, key: string) => lines.filter((line) => line.type === type).map((line) => line[key])
  return { status, stderr, ran: of('summary', 'property'), unloaded: of('unloaded', 'file') }
}

describe('norn fuzz', () => {
  it('without files runs those of the working directory, but not those of packages and hidden folders', async () => {
    expect(await ran(here)).toEqual({ status: 0, stderr: '', ran: ['a', 'b'], unloaded: [] })
  })

  it('takes folders, and globs that no shell has replaced, and runs each file once', async () => {
    expect(await ran(here, 'deep')).toMatchObject({ status: 0, ran: ['b'] })
    expect(await ran(here, '**/*.test.ts')).toMatchObject({ status: 0, ran: ['c'] })
    expect(await ran(here, '{a,deep/c}.*.ts', 'a.fuzz.ts')).toMatchObject({ status: 0, ran: ['a', 'c'] })
  })

  it('says so where there are none', async () => {
    mkdirSync(join(here.root, 'empty'), { recursive: true })
    const { status, stderr } = await here.call('fuzz', 'empty')
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'norn: no files of properties (*.fuzz.ts) in the folder empty\n',
    })
  })
})

describe('a file that does not load', () => {
  it('stops only itself, and decides the status where nothing fails', async () => {
    const { stderr, ...rest } = await ran(broken, '--junit', 'junit.xml')
    expect(rest).toEqual({ status: 2, ran: ['second'], unloaded: ['first.fuzz.ts'] })
    expect(stderr).toMatch(/^norn: cannot load first\.fuzz\.ts\n.*first\.fuzz\.ts:2:8\n/)
    const junit = readFileSync(join(broken.root, 'junit.xml'), 'utf8')
    expect(junit).toContain('tests="2" failures="0" errors="1"')
    expect(junit).toMatch(
      /name="loading"[^>]*>\s*<error [^>]*message="cannot load first.fuzz.ts: Error \[ERR_MODULE_NOT_FOUND\]/,
    )
  })

  it('is named again at the end', async () => {
    const { stdout } = await broken.call('fuzz', '--runs', '3', '--seed', '1')
    expect(stdout).toContain('! not run, because it does not load: first.fuzz.ts')
  })
})
