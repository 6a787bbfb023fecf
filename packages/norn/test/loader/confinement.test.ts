/** Aliases that a failure file names lead to modules of the project, after symbolic links, or are refused. */
import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { isOfProject } from '../../src/loader/confinement.ts'
import { folder, newLoader } from './programs.ts'

const root = folder({
  'outside/evil.mjs': 'export default "evil"',
  'node_modules/hoisted/index.js': 'module.exports = "evil"',
  'project/package.json':
    '{ "name": "self", "exports": "./fine.mjs", "imports": { "#up": "hoisted", "#in": "./fine.mjs" } }',
  'project/main.mjs': 'export default (await import("dep")).default',
  'project/subpath.mjs': 'export default (await import("dep/evil.mjs")).default',
  'project/required.cjs': 'module.exports = require("dep")',
  'project/url.mjs': 'export default import.meta.resolve("dep")',
  'project/fine.mjs': 'export default "fine"',
  'project/.norn/failures/evil.mjs': 'export default "evil"',
  'project/node_modules/inside/index.js': 'module.exports = "fine"',
  'project/node_modules/.store/stored/index.js': 'module.exports = "fine"',
  'project/packages/member/index.js': 'module.exports = "fine"',
  'project/node_modules/far/package.json': '{ "main": "../../../outside/evil.mjs" }',
  'project/empty/note': '',
})
const project = join(root, 'project')
const outside = join(root, 'outside')
const link = (at: string, to: string) => {
  mkdirSync(dirname(join(project, at)), { recursive: true })
  symlinkSync(to, join(project, at))
}
link('link.mjs', join(outside, 'evil.mjs'))
link('folder', outside)
link('node_modules/out', outside)
link('node_modules/@s/out', outside)
link('node_modules/stored', join(project, 'node_modules/.store/stored'))
link('node_modules/member', '../packages/member')

const loaderFor = (to: string) =>
  newLoader({ aliases: new Map([['dep', to]]), confined: { root: project, names: new Set(['dep']) } })
const run = async (to: string, main: string) =>
  ((await loaderFor(to).instantiate().import(join(project, main))) as { default: unknown }).default
const evil = join(outside, 'evil.mjs')

const REFUSED: readonly string[] = [
  evil,
  pathToFileURL(evil).href,
  pathToFileURL(evil).href.replace('file', 'FILE'),
  ` ${pathToFileURL(evil).href.replace('file', 'fi\nle')}?query#hash`,
  join(project, 'link.mjs'),
  join(project, 'folder/evil.mjs'),
  join(project, '.norn/failures/evil.mjs'),
  '../outside/evil.mjs',
  'data:text/javascript,export default "evil"',
  './%2e%2e/outside/evil.mjs',
  'out/evil.mjs',
  'inside/../../../outside/evil.mjs',
  'inside/%2e%2e/%2e%2e/%2e%2e/outside/evil.mjs',
  '@s/out/evil.mjs',
  'far',
  'hoisted',
  '#up',
  'fs',
  'node:child_process',
]

describe('an alias of a failure file', () => {
  test.each(REFUSED)('%j is refused: at the start, or where it is imported', async (to) => {
    const early = loaderFor(to).leadingOut(join(project, 'main.mjs'))
    expect(early).toMatchObject([{ from: 'dep', to }])
    await expect(run(to, 'main.mjs')).rejects.toThrow(`refused alias dep=${to} of the failure, which leads outside`)
    await expect(run(to, 'required.cjs')).rejects.toThrow(/refused alias|Cannot find module/)
    await expect(run(to, 'url.mjs')).rejects.toThrow('refused alias')
  })

  test.each([join(project, 'fine.mjs'), pathToFileURL(join(project, 'fine.mjs')).href, './fine.mjs', 'inside'])(
    '%j is a module of the project',
    async (to) => {
      expect(loaderFor(to).leadingOut(join(project, 'main.mjs'))).toEqual([])
      expect(await run(to, 'main.mjs')).toBe('fine')
    },
  )

  test.each(['stored', 'member', 'self', '#in'])(
    '%j: so are stores, workspaces and names of the package',
    async (to) => {
      expect(await run(to, 'main.mjs')).toBe('fine')
    },
  )

  test('to a folder of the project is refused at the file that a subpath leads out to', async () => {
    link('empty/evil.mjs', evil)
    expect(loaderFor(join(project, 'empty')).leadingOut(join(project, 'subpath.mjs'))).toEqual([])
    await expect(run(join(project, 'empty'), 'subpath.mjs')).rejects.toThrow(`, to ${evil}`)
  })

  test('is refused again in the next execution', async () => {
    const loader = loaderFor('hoisted')
    for (const _ of [1, 2]) {
      await expect(loader.instantiate().import(join(project, 'main.mjs'))).rejects.toThrow('refused alias')
    }
  })

  test('leaves aliases of the call alone', async () => {
    const aliases = new Map([['dep', evil]])
    const loader = newLoader({ aliases, confined: { root: project, names: new Set() } })
    expect(await loader.instantiate().import(join(project, 'main.mjs'))).toMatchObject({ default: 'evil' })
  })
})

test('nothing, and the project itself, are not of the project', () => {
  expect(isOfProject(join(project, 'fine.mjs'), project)).toBe(true)
  for (const path of [join(project, 'gone'), project, root, `${project}\0`])
    expect(isOfProject(path, project)).toBe(false)
})
