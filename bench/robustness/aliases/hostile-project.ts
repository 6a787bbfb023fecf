/**
 * A project on the disk, with every way out of it that names of modules may take: links to files
 * and folders, packages whose main lies outside, `node_modules` of folders above, global folders.
 * Every module that is not of the project is evil: it leaves a mark if it runs.
 */
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** What an evil module throws; no source has the text in one piece. */
export const MARK = ['evil', 'ran'].join(' module ')

/** Counts itself where a test looks, and throws what a report would show. */
export const EVIL = `(globalThis.evilRan ??= []).push(1); throw new Error(['evil', 'ran'].join(' module '))\n`

/** What the project imports: each may be replaced by an alias. */
export const IMPORTED = ['./a.ts', 'dep', 'dep/sub.mjs', '@scope/dep', '#own', 'node:path', '__proto__', 'constructor']

export interface HostileProject {
  /** Holds everything. */
  readonly base: string
  readonly root: string
  readonly failures: string
  /** Variables by which `require` finds global folders. */
  readonly environment: Readonly<Record<string, string>>
}

export function hostileProject(): HostileProject {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'norn-hostile-')))
  const root = join(base, 'project')
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(base, path)), { recursive: true })
    writeFileSync(join(base, path), text)
  }
  const link = (path: string, to: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    symlinkSync(to, join(root, path))
  }
  const evil = [
    ...['evil.mjs', 'evil.cjs', 'evil.js', 'evil.ts', 'evil.fuzz.ts', 'index.js', 'sub.mjs', 'a.ts', 'Evil.mjs'],
    ...['evil%2emjs', 'e vil.mjs'],
  ].map((name) => `outside/${name}`)
  const above = ['node_modules/hoisted/index.js', 'global/global/index.js', 'home/.node_modules/homely/index.js']
  for (const path of [...evil, ...above, 'project/.norn/failures/evil.mjs']) write(path, EVIL)
  write('outside/package.json', '{ "name": "outside", "main": "./evil.cjs" }')

  const fine = 'export const ofProject = true\nexport default { ofProject }\n'
  for (const path of ['a.ts', 'b.ts', 'lib/index.js', 'Evil.mjs', 'sub.mjs']) write(`project/${path}`, fine)
  const packageJson = {
    name: 'self',
    type: 'module',
    exports: { '.': './b.ts', './link': './link.mjs' },
    imports: { '#own': './a.ts', '#up': 'hoisted', '#link': './link.mjs', '#builtin': 'node:child_process' },
  }
  write('project/package.json', JSON.stringify(packageJson))
  for (const name of ['dep', '@scope/dep', 'plain']) {
    write(`project/node_modules/${name}/package.json`, '{ "type": "module", "main": "sub.mjs" }')
    write(`project/node_modules/${name}/sub.mjs`, fine)
  }
  const main = (name: string, value: object) =>
    write(`project/node_modules/${name}/package.json`, JSON.stringify({ name, ...value }))
  main('far', { main: '../../../outside/evil.cjs' })
  main('linked-main', { main: './link.cjs' })
  main('exporting', { exports: { '.': './link.cjs', './folder/*': './folder/*' } })
  main('loop', { main: './loop' })

  link('link.mjs', '../outside/evil.mjs')
  link('link.fuzz.ts', '../outside/evil.fuzz.ts')
  link('folder', '../outside')
  link('twice', 'folder')
  link('up', '..')
  link('slash', '/')
  link('loop', 'loop')
  link('dangling.mjs', '../outside/gone.mjs')
  link('lib/deep/link.mjs', '../../link.mjs')
  link('node_modules/linked', '../../outside')
  link('node_modules/@scope/linked', '../../../outside')
  link('node_modules/linked-main/link.cjs', '../../../outside/evil.cjs')
  link('node_modules/exporting/link.cjs', '../../../outside/evil.cjs')
  link('node_modules/exporting/folder', '../../../outside')
  link('node_modules/plain/up', '../../..')
  return {
    base,
    root,
    failures: join(root, '.norn/failures'),
    environment: { HOME: join(base, 'home'), NODE_PATH: join(base, 'global') },
  }
}
