/** Each rule of the tidiness check fails for a tree that breaks it, and says where. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { subjectsTooLong } from '../scripts/tidiness/commits.ts'
import { brokenCycles } from '../scripts/tidiness/cycles.ts'
import { decisionsByText } from '../scripts/tidiness/decisions.ts'
import { decisionsByKind, strayFolders } from '../scripts/tidiness/domains.ts'
import { brokenLayers } from '../scripts/tidiness/layers.ts'
import { namesOfUnderscores } from '../scripts/tidiness/names.ts'
import { scatteredOptions } from '../scripts/tidiness/options.ts'
import { type Problem, readSources, type SourceFile } from '../scripts/tidiness/sources.ts'
import { variablesOfModules } from '../scripts/tidiness/state.ts'
import { focusedTests, limitedTests, longLines } from '../scripts/tidiness/text.ts'
import { strayEvents, strayVerdicts } from '../scripts/tidiness/verdicts.ts'

const roots: string[] = []
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true })
})

function tree(files: Readonly<Record<string, string>>): SourceFile[] {
  const root = mkdtempSync(join(tmpdir(), 'norn-tidiness-'))
  roots.push(root)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return readSources(root, ['packages', 'test'])
}

const wheres = (problems: readonly Problem[]) => problems.map(({ where }) => where)

describe('the order of rooms', () => {
  const LOWER = 'packages/norn/src/tape/a.ts'
  const UPPER = 'packages/norn/src/cli/b.ts'

  it('lets a room use the rooms below it, and norn use norn-tla by name', () => {
    const files = { [LOWER]: '', [UPPER]: "import '../tape/a.ts'\nimport 'norn-tla'\n" }
    expect(brokenLayers(tree(files))).toEqual([])
  })

  it.each([
    ['an import', "import { b } from '../cli/b.ts'"],
    ['a type import', "import type { B } from '../cli/b.ts'"],
    ['a re-export', "export * from '../cli/b.ts'"],
    ['a lazy import', "const b = await import('../cli/b.ts')"],
    ['the type of an import', "type B = typeof import('../cli/b.ts')"],
    ['a URL', "new URL('../cli/b.ts', import.meta.url)"],
    ['the name of the compiled file', "const entry = '../cli/b.js'"],
  ])('refuses %s of a room above', (_, line) => {
    expect(brokenLayers(tree({ [LOWER]: `\n${line}\n`, [UPPER]: '' }))).toEqual([
      { where: `${LOWER}:2`, what: expect.stringContaining('tape stands below cli') },
    ])
  })

  it.each([
    ['norn uses norn-fleet by an import', UPPER, "await import('norn-fleet')"],
    ['norn-fleet uses an entry point of norn that is not for it', 'packages/fleet/src/a.ts', "import 'norn/cluster'"],
    ['a room of norn-tla uses one above', 'packages/tla/src/library/a.ts', "import '../semantics/b.ts'"],
    ['norn-tla uses norn by name', 'packages/tla/src/a.ts', "import 'norn/cluster'"],
    ['a package uses another by path', UPPER, "import '../../../tla/src/x.ts'"],
    ['sources use a test', UPPER, "import '../../test/x.ts'"],
    ['a room uses an entry point', UPPER, "import '../index.ts'"],
  ])('refuses that %s', (_, path, line) => {
    const others = {
      'packages/tla/src/x.ts': '',
      'packages/tla/src/semantics/b.ts': '',
      'packages/norn/test/x.ts': '',
      'packages/norn/src/index.ts': '',
    }
    expect(wheres(brokenLayers(tree({ ...others, [path]: line })))).toEqual([`${path}:1`])
  })

  it.each(['attic', 'world/attic'])('refuses the room %s, which has no place in the order', (room) => {
    expect(brokenLayers(tree({ [`packages/norn/src/${room}/a.ts`]: '' }))[0]!.what).toContain(room)
  })

  it('holds the folders of the world to an order of their own, below the files beside them', () => {
    const at = (name: string) => `packages/norn/src/world/${name}.ts`
    const files = {
      [at('loop/a')]: "import '../realm/b.ts'",
      [at('realm/b')]: "import '../http/c.ts'",
      [at('http/c')]: "import '../world.ts'",
      [at('world')]: "import './loop/a.ts'",
    }
    expect(brokenLayers(tree(files)).map(({ what }) => what)).toEqual([
      expect.stringContaining('world/http stands below world'),
      expect.stringContaining('world/realm stands below world/http'),
    ])
  })
})

describe('search domains', () => {
  it('lets only the rooms of clusters decide by the kind of a property', () => {
    const line = "if (property.kind === 'cluster') search()"
    const files = { 'packages/norn/src/cli/a.ts': line, 'packages/norn/src/domains/kinds.ts': line }
    expect(wheres(decisionsByKind(tree(files)))).toEqual(['packages/norn/src/cli/a.ts:1'])
  })

  it('finds a folder without an import from its room or back', () => {
    const at = (path: string) => `packages/norn/src/world/${path}.ts`
    const files = {
      [at('loop')]: "import './files/tree.ts'",
      [at('files/tree')]: '',
      [at('latency/a')]: "import './b.ts'\nimport '../../tape/tape.ts'",
      [at('latency/b')]: '',
      'packages/norn/src/tape/tape.ts': '',
    }
    expect(wheres(strayFolders(tree(files)))).toEqual(['packages/norn/src/world/latency'])
  })
})

describe('import cycles', () => {
  it('are found whatever their length', () => {
    const at = (name: string) => `packages/norn/src/tape/${name}.ts`
    const files = {
      [at('a')]: "import './b.ts'",
      [at('b')]: "import './c.ts'",
      [at('c')]: "import type { A } from './a.ts'",
      [at('d')]: "import './a.ts'",
    }
    expect(brokenCycles(tree(files))).toEqual([
      { where: at('a'), what: `imports itself through ${at('b')}, ${at('c')}` },
    ])
  })
})

describe('decisions by text', () => {
  const PATH = 'packages/norn/src/search/a.ts'

  it.each([
    "if (error.message.includes('timed out')) retry()",
    'if (/heap/.test(String(error.message))) retry()',
    'if (OVERFLOW.test(failure.message)) retry()',
    "if (error.message === 'not found') retry()",
    'if (error.message === NOT_FOUND) retry()',
    "if (error.name === 'TypeError') retry()",
    "if (failure?.errorName !== 'AbortError') retry()",
    'const ordinals = choices.filter(({ label }) => /^[0-9]+$/.test(label))',
    "const chain = choice.label.slice(0, choice.label.indexOf(':'))",
    'switch (error.message) {',
  ])('are refused: %s', (line) => {
    expect(decisionsByText(tree({ [PATH]: `\n${line}\n` }))).toEqual([{ where: `${PATH}:2`, what: `\`${line}\`` }])
  })

  it.each([
    "const [first] = failure.message.split('\\n')",
    "if (typeof message !== 'string' || message === '') throw new TypeError(label)",
    'if (one.label === other.label) continue',
    'if (error instanceof RangeError) retry()',
    "// once error.message.includes('timed out')",
  ])('are not seen in: %s', (line) => {
    expect(decisionsByText(tree({ [PATH]: line }))).toEqual([])
  })

  it('are left to the files that are listed', () => {
    const path = 'packages/norn/src/contract/stack-overflow.ts'
    expect(decisionsByText(tree({ [path]: 'return message.startsWith(OVERFLOW_MESSAGE)' }))).toEqual([])
  })
})

describe('events', () => {
  const PATH = 'packages/norn/src/session/a.ts'

  it.each([
    'export type SupervisedEvent =',
    "type CallEvent = { readonly type: 'a' }",
    "  | { readonly type: 'found'; readonly failure: FoundFailure }",
  ])('are declared in contract alone: %s', (line) => {
    expect(wheres(strayEvents(tree({ [PATH]: `\n${line}\n` })))).toEqual([`${PATH}:2`])
    expect(strayEvents(tree({ 'packages/norn/src/contract/a.ts': line }))).toEqual([])
  })

  it.each(["if (event.type === 'found') end()", "emit({ type: 'found', failure })", 'const onEvent = report'])(
    'are not seen in: %s',
    (line) => {
      expect(strayEvents(tree({ [PATH]: line }))).toEqual([])
    },
  )
})

describe('verdicts', () => {
  const PATH = 'packages/norn/src/cli/a.ts'

  it.each([
    "if (result.verdict === 'void') say()",
    "const level = rule === 'inconclusive' ? 'warning' : 'error'",
    '  undecided: STATUS.undecided,',
    "  undecided: 'inconclusive',",
    "const verdict = isFailed ? 'failed' : 'undecided'",
  ])('are decided in their table alone: %s', (line) => {
    expect(wheres(strayVerdicts(tree({ [PATH]: `\n${line}\n` })))).toEqual([`${PATH}:2`])
    expect(strayVerdicts(tree({ 'packages/norn/src/contract/verdict.ts': line }))).toEqual([])
  })

  it.each([
    "if (event.type === 'inconclusive') tell()",
    'if (result.voided !== undefined) say()',
    "return { ...result, verdict: 'void', voided }",
  ])('are not seen in: %s', (line) => {
    expect(strayVerdicts(tree({ [PATH]: line }))).toEqual([])
  })
})

describe('options', () => {
  const at = (path: string) => `packages/norn/src/${path}.ts`
  const TABLE = 'export const OPTIONS = {\n  runs: {\n    kind: count,\n  },\n  cover: {\n    kind: names,\n  },\n}\n'
  const scattered = (files: Readonly<Record<string, string>>, known = {}) =>
    scatteredOptions(tree({ [at('options/table')]: TABLE, [at('cli/a')]: 'use(options.runs)', ...files }), known)

  it.each([
    'start(options.runs)',
    'this.#options.runs ?? 5',
    'const { seed, runs } = flags',
    'const { seed, runs: named = 5 } = this.#options',
    'function f({ seed = 1, runs }: SearchFlags & Paths) {',
    'function f({\n  seed,\n  runs,\n}: SearchFlags) {',
  ])('are read in one file: %s', (line) => {
    expect(scattered({ [at('session/b')]: line })).toEqual([
      { where: at('session/b'), what: `runs is read here, and in ${at('cli/a')}` },
    ])
  })

  it.each([
    'start(campaign.runs)',
    'start(options.runs())',
    '// options.runs',
    'const { runs } = summary',
    'const { seed } = options',
    'start(processOptions(options))',
    'use(options.runsLeft)',
  ])('are not read by: %s', (line) => {
    expect(scattered({ [at('session/b')]: line })).toEqual([])
    expect(scattered({ [at('options/values')]: 'options.runs' })).toEqual([])
  })

  it('leave the list when fewer files read them, or when they are gone', () => {
    const whats = (known: object) => scattered({ [at('cli/b')]: 'use(flags.runs)' }, known).map(({ what }) => what)
    expect(whats({ runs: [2, 'why'] })).toEqual([])
    expect(whats({ runs: [3, 'why'] })).toEqual(['2 files read runs: correct its row'])
    expect(whats({ runs: [2, 'why'], jobs: [2, 'why'] })).toEqual(['jobs is not an option: remove its row'])
  })
})

describe('variables of modules', () => {
  const PATH = 'packages/norn/src/tape/a.ts'
  const TEXT = "export const a = 1\nlet count = 0\nexport let last = ''\nfunction f() {\n  let own = 0\n}\n"

  it('are refused beyond those that are listed for a file of that name', () => {
    expect(variablesOfModules(tree({ [PATH]: TEXT }), { 'a.ts': 1 })).toEqual([
      { where: `${PATH}:3`, what: 'last is a variable of the module' },
    ])
  })

  it('leave the list when they are gone', () => {
    const [problem, ...others] = variablesOfModules(tree({ [PATH]: TEXT }), { 'a.ts': 3 })
    expect([problem!.what, others]).toEqual(['a.ts has 1 fewer than listed: correct its row', []])
    expect(variablesOfModules(tree({ [PATH]: TEXT }), { 'a.ts': 2 })).toEqual([])
  })
})

describe('names of underscores', () => {
  const PATH = 'packages/norn/src/tape/a.ts'

  it.each(['const f = (_: unknown, __: unknown) => 1', 'const { a: ___, ...b } = c', '  observation: __,'])(
    'are refused: %s',
    (line) => expect(wheres(namesOfUnderscores(tree({ [PATH]: line })))).toEqual([`${PATH}:1`]),
  )

  it.each(['const f = (_: unknown, _count: number) => 1', "const name = '__proto__'", '{ __proto__: null }'])(
    'are not seen in: %s',
    (line) => expect(namesOfUnderscores(tree({ [PATH]: line }))).toEqual([]),
  )
})

describe('subjects of commits', () => {
  it('have at most 72 letters', () => {
    const commits = [`abc ${'x'.repeat(72)}`, `def ${'x'.repeat(73)}`, '']
    expect(subjectsTooLong(commits)).toEqual([{ where: 'def', what: 'the subject has 73 letters' }])
  })
})

describe('lines', () => {
  const PATH = 'packages/norn/src/tape/a.ts'

  it('have at most 120 characters, comments included', () => {
    const files = { [PATH]: `// ${'x'.repeat(117)}\n// ${'x'.repeat(118)}\nconst y = ${'y + '.repeat(30)} 1\n` }
    expect(wheres(longLines(tree(files)))).toEqual([`${PATH}:2`, `${PATH}:3`])
  })

  it('may be longer by a text that cannot be broken', () => {
    const texts = `const a = '${'x'.repeat(200)}'\nconst b = \`\n${'x '.repeat(100)}\n\`\n// ${'x'.repeat(200)}\n`
    expect(wheres(longLines(tree({ [PATH]: texts })))).toEqual([`${PATH}:5`])
  })
})

describe('focused tests', () => {
  it.each(['it.only(', 'describe.only(', 'test.concurrent.only(', 'fuzz.only('])('refuses %s', (call) => {
    const path = 'test/a.test.ts'
    expect(wheres(focusedTests(tree({ [path]: `\n  ${call}'x', () => {})\n` })))).toEqual([`${path}:2`])
  })

  it('leaves the texts of programs alone', () => {
    expect(focusedTests(tree({ 'test/a.test.ts': "const program = `\nit.only('x', () => {})\n`\n" }))).toEqual([])
  })
})

describe('time limits of single tests', () => {
  const path = 'test/a.test.ts'

  it.each([
    ["test('x', () => {\n  y()\n}, 60_000)\n", 3],
    ['beforeAll(() => {\n  y()\n}, LONG)\n', 3],
    ["test(\n  'x',\n  () => {\n    y()\n  },\n  60_000,\n)\n", 6],
  ])('are refused: %j', (text, line) => {
    expect(wheres(limitedTests(tree({ [path]: text })))).toEqual([`${path}:${line}`])
  })

  it('are not seen in the arguments of other calls', () => {
    expect(limitedTests(tree({ [path]: 'add(\n  corpus,\n  2000,\n)\n' }))).toEqual([])
  })
})
