/**
 * Source as people write it: in each kind of project norn finds the planted race, and names the line
 * and the column that its author wrote.
 */
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Line, parsed, project } from './project.ts'

const ESM = '{ "type": "module" }'

/** Two operations whose order is a race: by default the second is the last. */
const RACE = `import { stat } from 'node:fs/promises'
export async function last(): Promise<string> {
  let name = ''
  const end = (value: string) => () => { name = value }
  await Promise.all([stat('.').then(end('a')), stat('..').then(end('b'))])
  return name
}
`

/** A property whose body is the default export of a module. */
const property = (name: string, specifier: string, rest = '') =>
  `import { fuzz } from 'norn'\nimport body from '${specifier}'\n${rest}\nfuzz('${name}', {}, () => body())\n`

interface Kind {
  /** Below a folder that has the name of the kind. */
  readonly files: Readonly<Record<string, string>>
  /** The file with the error of the race. */
  readonly blamed: string
}

const VIEW = `import { last } from './race'

type Props = { name: string }
const Shown = ({ name }: Props) => <b title="last">{name}</b>
const check = (name: string) => { if (name !== 'b') throw new Error('lost'); return name }

export default async function body(): Promise<void> {
  const name = await last()
  const page = <main><Shown name="x" {...{ id: 1 }} /><>{check(name)}</></main>
  if (page === undefined) throw new Error('no page')
}
`

/** A runtime of JSX, and functions for the classic one. */
const RUNTIME = `exports.jsx = exports.jsxs = exports.h = (type, props, ...children) => ({ type, props, children })
exports.Fragment = 'fragment'
`
const TINY = {
  'node_modules/tiny/package.json': '{ "exports": { ".": "./run.js", "./jsx-runtime": "./run.js" } }',
  'node_modules/tiny/run.js': RUNTIME,
}

const PLAIN_BODY = `import { last } from 'RACE'

export default async function body(): Promise<void> {
  if (await last() !== 'b') { throw new Error('lost') }
}
`

const KINDS: Readonly<Record<string, Kind>> = {
  'TSX, with the default runtime': {
    files: {
      'a.fuzz.ts': property('TSX, with the default runtime', './view'),
      'view.tsx': VIEW,
      'node_modules/react/package.json': '{ "exports": { "./jsx-runtime": "./run.js" } }',
      'node_modules/react/run.js': RUNTIME,
    },
    blamed: 'view.tsx',
  },
  'TSX, with the runtime of jsxImportSource': {
    files: {
      'a.fuzz.ts': property('TSX, with the runtime of jsxImportSource', './view.js'),
      'view.tsx': VIEW,
      'tsconfig.json': '{ "compilerOptions": { "jsx": "react-jsx", "jsxImportSource": "tiny" } }',
      ...TINY,
    },
    blamed: 'view.tsx',
  },
  'TSX, with a factory function': {
    files: {
      'a.fuzz.ts': property('TSX, with a factory function', './view.tsx'),
      'view.tsx': `import { Fragment, h } from 'tiny'\n${VIEW}`,
      'tsconfig.json': '{ "compilerOptions": { "jsx": "react", "jsxFactory": "h", "jsxFragmentFactory": "Fragment" } }',
      ...TINY,
    },
    blamed: 'view.tsx',
  },
  'a property in TSX': {
    files: {
      'a.fuzz.tsx': `import { fuzz } from 'norn'
import { last } from './race.ts'

fuzz('a property in TSX', {}, async () => {
  const page: object = <p>{await last()}</p>
  if (!JSON.stringify(page).includes('"b"')) throw new Error('lost')
})
`,
      'tsconfig.json': '{ "compilerOptions": { "jsxImportSource": "tiny" } }',
      ...TINY,
    },
    blamed: 'a.fuzz.tsx',
  },
  JSX: {
    files: {
      'a.fuzz.ts': property('JSX', './view.jsx'),
      'view.jsx': `import { last } from './race'

export default async () => {
  const page = <p>{await last()}</p>
  if (!JSON.stringify(page).includes('"b"')) throw new Error('lost')
}
`,
      'jsconfig.json': '{ "compilerOptions": { "jsxImportSource": "tiny" } }',
      ...TINY,
    },
    blamed: 'view.jsx',
  },
  "TypeScript's decorators": {
    files: {
      'a.fuzz.ts': property("TypeScript\\'s decorators", './service.ts'),
      'service.ts': `import { last } from './race.ts'

Object.assign(Reflect, { metadata: (key: string, value: unknown) => (_: object, name: string) => { seen.push([key, name, value]) } })
const seen: unknown[][] = []
function logged(_: object, __: string, descriptor: PropertyDescriptor) {
  const { value } = descriptor
  return { ...descriptor, value(this: object, ...given: unknown[]) { return value.apply(this, given) } }
}
const column = (target: object, name: string) => Object.defineProperty(target, name, { get: () => 'column', set() {} })
const injected = (_: object, __: undefined, index: number) => { seen.push(['parameter', index]) }
class Clock {}

export class Service {
  @column title!: string
  constructor(private readonly wanted: string, @injected readonly clock: Clock = new Clock()) {}

  @logged
  async check(name: string): Promise<void> {
    if (name !== this.wanted) throw new Error('lost')
  }
}

export default async function body(): Promise<void> {
  const service = new Service('b')
  if (service.title !== 'column') throw new Error('the field hides what the decorator defined')
  if (!seen.some(([key]) => key === 'parameter')) throw new Error('parameters are not decorated')
  if (!seen.some(([key, _, value]) => key === 'design:paramtypes' && Array.isArray(value))) throw new Error('no metadata')
  await service.check(await last())
}
`,
      'tsconfig.json':
        '{ "compilerOptions": { "target": "ES2020", "experimentalDecorators": true, "emitDecoratorMetadata": true } }',
    },
    blamed: 'service.ts',
  },
  "the standard's decorators": {
    files: {
      'a.fuzz.ts': property("the standard\\'s decorators", './service.ts'),
      'service.ts': `import { last } from './race.ts'

type Method = (this: Service, name: string) => Promise<void>
const logged = (method: Method, { name }: ClassMethodDecoratorContext): Method =>
  function (given) { this.calls += String(name); return method.call(this, given) }

@((value: Function, context: ClassDecoratorContext) => { context.addInitializer(() => {}) })
class Service {
  accessor calls = ''

  @logged async check(name: string): Promise<void> {
    if (name !== 'b') throw new Error('lost')
  }
}

export default async function body(): Promise<void> {
  const service = new Service()
  await service.check(await last())
  if (service.calls !== 'check') throw new Error('not decorated')
}
`,
    },
    blamed: 'service.ts',
  },
  'enums, namespaces and parameter properties': {
    files: {
      'a.fuzz.ts': property('enums, namespaces and parameter properties', './subject.ts'),
      'subject.ts': `import { last } from './race.ts'

enum Name { First = 'a', Last = 'b' }
const enum Bit { One = 1 << 0 }
namespace Checks {
  export const bit: number = Bit.One
  export class Check {
    constructor(private readonly wanted: Name, public count: number = bit) {}
    run(name: string): void { if (name !== this.wanted) { throw new Error('lost') } }
  }
}

export default async function body(): Promise<void> {
  new Checks.Check(Name.Last).run(await last())
}
`,
    },
    blamed: 'subject.ts',
  },
  'no extensions, and folders': {
    files: {
      'a.fuzz.ts': property('no extensions, and folders', './parts'),
      'parts/index.ts': `export { default } from './body'`,
      'parts/body.ts': PLAIN_BODY.replace('RACE', '../race'),
    },
    blamed: 'parts/body.ts',
  },
  'paths of a tsconfig that is extended': {
    files: {
      'a.fuzz.ts': property('paths of a tsconfig that is extended', '@/body', `import '~checks'`),
      'src/body.ts': PLAIN_BODY.replace('RACE', '@/race.js'),
      'src/race.ts': RACE,
      'src/checks/index.ts': 'export {}',
      'base/tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["../src/*"], "~checks": ["../src/checks"] } } }',
      'tsconfig.json': '{ "extends": "./base/tsconfig.json", /* not the property */ "include": ["src"], }',
    },
    blamed: 'src/body.ts',
  },
  'baseUrl, of a referenced tsconfig': {
    files: {
      'a.fuzz.ts': property('baseUrl, of a referenced tsconfig', 'checks/body'),
      'src/checks/body.ts': PLAIN_BODY.replace('RACE', 'race'),
      'src/race.ts': RACE,
      'tsconfig.json': '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
      'tsconfig.app.json': '{ "compilerOptions": { "baseUrl": "src" } }',
    },
    blamed: 'src/checks/body.ts',
  },
  '.js that means .ts': {
    files: {
      'a.fuzz.ts': property('.js that means .ts', './body.mjs', `import './view.jsx'`),
      'body.mts': PLAIN_BODY.replace('RACE', './race.js'),
      'view.tsx': 'export type Nothing = never',
    },
    blamed: 'body.mts',
  },
  'a package of the monorepo': {
    files: {
      'a.fuzz.ts': property('a package of the monorepo', '@acme/checks'),
      'packages/checks/package.json': '{ "name": "@acme/checks", "type": "module", "exports": "./src/index.ts" }',
      'packages/checks/src/index.ts': PLAIN_BODY.replace('RACE', './race'),
      'packages/checks/src/race.ts': RACE,
    },
    blamed: 'packages/checks/src/index.ts',
  },
  'aliases of Vite': {
    files: {
      'a.fuzz.ts': property('aliases of Vite', '@/body', `import '#lib/none'\nimport 'checks'`),
      'src/body.ts': PLAIN_BODY.replace('RACE', '~/race'),
      'src/race.ts': RACE,
      'src/lib/none.ts': 'export {}',
      'vite.config.ts': `import { fileURLToPath } from 'node:url'
import path from 'node:path'
import { defineConfig } from 'vite'
import plugin from 'not-installed'
const source = (name: string) => path.resolve(__dirname, 'src', name)
export default defineConfig(({ mode }) => ({
  plugins: [plugin(mode)],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)), checks: source('lib/none.ts') } },
}))
`,
      'vitest.config.ts': `import { resolve } from 'node:path'
const alias = [{ find: /^~\\//, replacement: \`\${resolve(import.meta.dirname, 'src')}/\` }, { find: '#lib', replacement: '/src/lib' }]
export default { test: { globals: true, alias } }
`,
    },
    blamed: 'src/body.ts',
  },
  'CommonJS with paths': {
    files: {
      'a.fuzz.cts': `const { fuzz } = require('norn')
const { body } = require('@/body')
fuzz('CommonJS with paths', {}, () => body())
`,
      'src/body.cts': `import fs = require('node:fs/promises')
enum Name { Last = 'b' }
exports.body = async (): Promise<void> => {
  let name = ''
  const end = (value: string) => () => { name = value }
  await Promise.all([fs.stat('.').then(end('a')), fs.stat('..').then(end('b'))])
  if (name !== Name.Last) throw new Error('lost')
}
`,
      'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
    },
    blamed: 'src/body.cts',
  },
}

const folderOf = (kind: string) => `k${Object.keys(KINDS).indexOf(kind)}`

const files = Object.entries(KINDS).flatMap(([kind, { files }]) => [
  [`${folderOf(kind)}/race.ts`, RACE],
  [`${folderOf(kind)}/package.json`, kind.startsWith('CommonJS') ? '{}' : ESM],
  ...Object.entries(files).map(([name, text]) => [`${folderOf(kind)}/${name}`, text]),
])
const here = project({ 'package.json': ESM, ...Object.fromEntries(files) })

/** The place of the error of the race in a text. */
function placeIn(text: string) {
  const lines = text.slice(0, text.indexOf(`new Error('lost')`)).split('\n')
  return { line: lines.length, column: lines.at(-1)!.length + 1 }
}

const failures = new Map<string, Line>()
let errors = ''
beforeAll(async () => {
  const monorepo = join(here.root, folderOf('a package of the monorepo'))
  mkdirSync(join(monorepo, 'node_modules/@acme'), { recursive: true })
  symlinkSync('../../packages/checks', join(monorepo, 'node_modules/@acme/checks'))
  const folders = Object.keys(KINDS).map(folderOf)
  const { stdout, stderr } = await here.call(
    ...['fuzz', ...folders, '--runs', '60', '--seed', '1', '--guide', 'all', '--json'],
  )
  errors = stderr
  for (const line of parsed(stdout)) if (line.type === 'failure') failures.set(line.property, line)
})

describe('norn finds the race, and its place, in', () => {
  it.each(Object.keys(KINDS))('%s', (kind) => {
    const { files, blamed } = KINDS[kind]!
    const failure = failures.get(kind)
    expect(failure, errors).toMatchObject({ message: 'lost' })
    expect(failure!.frames[0]).toMatchObject({ file: `${folderOf(kind)}/${blamed}`, ...placeIn(files[blamed]!) })
  })
})
