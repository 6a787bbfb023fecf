/** `norn init` in repositories of three shapes: what it writes passes at once, and is written over nothing. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { project } from './project.ts'

const STORE = `import { readFile } from 'node:fs/promises'\nexport const load = async (path) => JSON.parse(await readFile(path, 'utf8'))\n`
const TYPED = `enum Kind { A, B }\nexport async function kindOf(text: string): Promise<Kind> {\n  await null\n  return text === 'a' ? Kind.A : Kind.B\n}\n`
const CALLBACKS = `const fs = require('fs')\nexports.load = (path, callback) => fs.readFile(path, 'utf8', callback)\n`
const IDLE = 'export const one = 1\n'

const SHAPES = {
  'ES modules': {
    files: {
      'package.json': '{\n\t"type": "module"\n}\n',
      'package-lock.json': '{}',
      'src/store.js': STORE,
      'src/idle.js': IDLE,
      'test/store.test.js': STORE.repeat(9),
    },
    property: 'src/store.fuzz.js',
    configuration: 'norn.config.mjs',
    install: 'npm ci',
  },
  'TypeScript with vitest': {
    files: {
      'package.json': '{ "type": "module", "devDependencies": { "typescript": "*", "vitest": "*" } }\n',
      'pnpm-lock.yaml': '',
      'src/kinds.ts': TYPED,
    },
    property: 'src/kinds.fuzz.ts',
    configuration: 'norn.config.ts',
    install: 'pnpm install --frozen-lockfile',
  },
  'CommonJS with jest': {
    files: {
      'package.json': '{ "devDependencies": { "jest": "*" } }\n',
      'lib/index.js': CALLBACKS,
      '.gitignore': 'dist',
    },
    property: 'lib/index.fuzz.mjs',
    configuration: 'norn.config.mjs',
    install: 'npm install',
  },
}

describe.each(Object.entries(SHAPES))('in a repository of %s', (_, { files, property, configuration, install }) => {
  const here = project(files)
  const text = (name: string) => readFileSync(join(here.root, name), 'utf8')

  it('writes a property, a configuration and a workflow', async () => {
    const { status, stdout, stderr } = await here.call('init')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    for (const name of [property, configuration, '.github/workflows/norn.yml']) {
      expect(stdout).toContain(`wrote  ${name}\n`)
      expect(existsSync(join(here.root, name))).toBe(true)
    }
    expect(JSON.parse(text('package.json')).scripts.fuzz).toBe('norn fuzz')
    expect(text('.gitignore')).toMatch(/(^|\n)\.norn\/corpus\/\n$/)
  })

  it('which pass as the workflow calls norn', async () => {
    const { jobs } = parse(text('.github/workflows/norn.yml'))
    const commands: string[] = jobs.fuzz.steps.flatMap(({ run }: { run?: string }) => run ?? [])
    expect(commands[0]).toBe(install)
    const args = commands[1]!
      .replace(/^.*? norn /, '')
      .replace('2m', '1s')
      .split(' ')
    const { status, stdout, stderr } = await here.call(...args)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/✓ \w+ loads: [\d,]+ executions?/)
  })

  it('keeps what is there', async () => {
    here.write(property, 'mine')
    const { stdout } = await here.call('init')
    expect(stdout.match(/^kept {3}/gm)).toHaveLength(4)
    expect(text(property)).toBe('mine')
    expect(text('.gitignore').split('.norn')).toHaveLength(2)
  })
})

it('takes the next module where the most asynchronous one does not load', async () => {
  const here = project({
    'package.json': '{ "type": "module" }',
    'src/main.js': `${STORE.repeat(1)}await load(process.argv[2])\n`,
    'src/idle.js': IDLE,
  })
  expect((await here.call('init')).stdout).toContain('wrote  src/idle.fuzz.js')
  expect(existsSync(join(here.root, 'src/main.fuzz.js'))).toBe(false)
})

it('says what is missing', async () => {
  expect(await project({}).call('init')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/no package\.json in this folder/),
  })
  const empty = project({ 'package.json': '{}' })
  expect(await empty.call('init')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/found no module that exports something/),
  })
  expect(await empty.call('init', 'gone.js')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/no such module: gone\.js/),
  })
})
