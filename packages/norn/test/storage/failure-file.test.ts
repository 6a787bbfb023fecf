/**
 * Saved failures: what is written is read back, whole or not at all; what is no saved failure is
 * refused at the edge.
 */

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { SavedFailure } from '../../src/contract/saved-failure.ts'
import { saveInput } from '../../src/property/input/saved-input.ts'
import {
  FAILURES_FOLDER,
  FailureFileError,
  failurePath,
  readFailure,
  rootOf,
  saveFailure,
} from '../../src/storage/failure-file.ts'
import { type Line, project } from '../cli/project.ts'

const root = mkdtempSync(join(tmpdir(), 'norn-failures-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const late = {
  kind: 'latency' as const,
  label: '0:1 open effect',
  min: 0,
  max: 20_000,
  value: 5001,
  alias: 'open a.txt 1 effect',
  subject: { chain: '0', step: '0:1', operation: 'open', point: 'effect', ordinal: 0 } as const,
}
const FAILURE: SavedFailure = {
  property: 'Notes: are kept!',
  file: 'test/notes.fuzz.ts',
  identity: 'error|Error|no',
  failure: { kind: 'error', errorName: 'Error', message: 'no', stack: 'Error: no', frames: [] },
  input: saveInput({
    values: { big: 2n ** 70n, odd: [Number.NaN, -0, undefined], at: new Date(0), set: new Set([1]) },
    draws: [{ label: 'step', value: new Map([['a', Uint8Array.of(1)]]) }],
  }),
  inputText: 'big = …',
  choices: {
    input: [{ kind: 'value' as const, label: 'n.0', min: 0n, max: 9n, value: 3n }],
    schedule: [late],
    fault: [],
    length: 7,
  },
  traceHash: '71246c085554db72',
  aliases: [['lockfile', './lib/lockfile.js']],
  found: { seed: 1, execution: 6, strategy: 'random', name: { length: 1 << 20, seed: 9 }, example: undefined },
  shrunk: true,
  environment: {
    node: '24.0.0',
    norn: '0.1.0',
    commit: undefined,
    variables: { TZ: 'Asia/Tokyo', LC_ALL: 'ja_JP.UTF-8' },
  },
}

describe('saving', () => {
  it('reads back what was written', () => {
    expect(readFailure(saveFailure(root, FAILURE))).toEqual(FAILURE)
  })

  it('names the file after the property and what went wrong, so that the same failure has one file', () => {
    const path = failurePath(root, FAILURE)
    expect(path).toMatch(/\.norn\/failures\/notes-are-kept-[0-9a-f]{8}\.json$/)
    expect(failurePath(root, { ...FAILURE, identity: 'another' })).not.toBe(path)
    expect(failurePath(root, { ...FAILURE, property: '漢字' })).toMatch(/\/property-[0-9a-f]{8}\.json$/)
    expect(failurePath(root, { ...FAILURE, property: '../../etc/passwd' })).toMatch(
      /failures\/etc-passwd-[0-9a-f]{8}\.json$/,
    )
  })

  it.each<[string, Partial<SavedFailure>]>([
    ['another file', { file: 'test/other.fuzz.ts' }],
    ['other aliases', { aliases: [['lockfile', './lib/other.js']] }],
    ['no aliases', { aliases: [] }],
    ['an example', { found: { ...FAILURE.found, example: 0 } }],
  ])('does not replace the failure of %s', (_, more) => {
    expect(failurePath(root, { ...FAILURE, ...more })).not.toBe(failurePath(root, FAILURE))
  })

  it('knows aliases in any order', () => {
    const aliases = [
      ['a', 'b'],
      ['c', 'd'],
    ] as const
    const path = failurePath(root, { ...FAILURE, aliases })
    expect(failurePath(root, { ...FAILURE, aliases: aliases.toReversed() })).toBe(path)
  })

  it('leaves nothing else in the folder', () => {
    const path = saveFailure(root, FAILURE)
    saveFailure(root, FAILURE)
    expect(readdirSync(join(root, FAILURES_FOLDER))).toEqual([path.split('/').at(-1)])
  })

  it('reads the fingerprint that an older norn saved as the one that the failure has today', () => {
    const failure = { ...FAILURE.failure, message: 'lost: 1,2,3' }
    const { identity } = readFailure(saveFailure(root, { ...FAILURE, identity: 'error|Error|lost: #,#,#', failure }))
    expect(identity).toBe('error|Error|lost: #')
  })

  it('finds the root again from where the file lies', () => {
    expect(rootOf(saveFailure(root, FAILURE))).toBe(root)
    expect(rootOf('/elsewhere/moved.json')).toBe(process.cwd())
  })
})

const serial = () => JSON.parse(readFileSync(saveFailure(root, FAILURE), 'utf8')) as Line

/** Reads a file made from a saved failure: by changing it in place, or by giving another text. */
function reading(change: (object: Line) => unknown): () => SavedFailure {
  const object = serial()
  const changed = change(object)
  const path = join(root, 'changed.json')
  writeFileSync(path, typeof changed === 'string' ? changed : JSON.stringify(object))
  return () => readFailure(path)
}

const REFUSED: readonly (readonly [what: string, change: (object: Line) => unknown, says: RegExp])[] = [
  ['no JSON', () => 'hello', /not JSON, or truncated/],
  ['an empty file', () => '\n', /not JSON, or truncated/],
  ['a truncated one', () => JSON.stringify(serial()).slice(0, 300), /not JSON, or truncated/],
  ['JSON that is no object', () => '[]', /the file is not an object/],
  ['JSON of something else', () => '{"name":"x"}', /not a failure saved by norn/],
  ['another version', (o) => void (o.version = 2), /unsupported version 2; this norn reads version 1/],
  ['an absolute path', (o) => void (o.file = '/etc/passwd'), /"file" is outside the project: "\/etc\/passwd"/],
  ['a path outside', (o) => void (o.file = 'a/../../b.ts'), /"file" is outside the project/],
  ['a path of Windows', (o) => void (o.file = 'C:\\b.ts'), /"file" is outside the project/],
  ['no path', (o) => void (o.file = ''), /"file" is outside the project/],
  ['a property that is no text', (o) => void (o.property = {}), /"property" is not a string/],
  ['a seed that is none', (o) => void (o.found.seed = 'x'), /"seed" is not a non-negative integer/],
  ['an example that is none', (o) => void (o.found.example = -1), /"example" is not a non-negative integer/],
  ['a name that is none', (o) => void (o.found.name = 'x'), /does not name an execution/],
  ['a kind of failure that is none', (o) => void (o.failure.kind = 'x'), /"kind" is not a kind of failure: "x"/],
  [
    'frames without a place',
    (o) => void (o.failure.frames = [{}]),
    /a frame is not \{ file, line, column, functionName \}/,
  ],
  ['a tape of another version', (o) => void (o.tape.version = 9), /the tape has version 9/],
  ['a value outside of its range', (o) => void (o.tape.schedule[0][3] = 1e6), /has a value outside its range/],
  ['a number that is none', (o) => void (o.tape.schedule[0][3] = null), /which is not an integer/],
  ['an alias that is no pair', (o) => void (o.aliases = ['x']), /an alias is not a pair of strings/],
  ['variables that are no object', (o) => void (o.environment.variables = 3), /"variables" is not an object/],
  ['another variable', (o) => void (o.environment.variables.PATH = '/'), /"variables" has an unknown name: PATH/],
  ['a time zone elsewhere', (o) => void (o.environment.variables.TZ = '../../x'), /has an invalid TZ: "..\/..\/x"/],
  ['a time zone of a file', (o) => void (o.environment.variables.TZ = ':/x'), /has an invalid TZ/],
  ['a locale elsewhere', (o) => void (o.environment.variables.LC_ALL = '../x'), /has an invalid LC_ALL/],
  ['a variable with two lines', (o) => void (o.environment.variables.NODE_ENV = 'a\nb'), /has an invalid NODE_ENV/],
  ['an input that is none', (o) => void (o.input = 3), /"input" is not an object/],
  ['values that cannot be read', (o) => void (o.input.values = '[[9]]'), /malformed saved input/],
  ['values with a prototype', (o) => void (o.input.values = '[{"__proto__":1},3]'), /malformed saved input/],
  ['a draw that cannot be read', (o) => void (o.input.draws[0].value = 'x'), /malformed saved input/],
]

describe('what is refused', () => {
  it.each(REFUSED)('%s', (_, change, says) => {
    const read = reading(change)
    expect(read).toThrow(FailureFileError)
    expect(read).toThrow(says)
  })

  it('a key __proto__ changes nothing', () => {
    const read = reading((o) => JSON.stringify(o).replace('{', '{"__proto__":{"polluted":true},'))
    expect(read()).toEqual(FAILURE)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('a huge file, without reading it', () => {
    const path = join(root, 'huge.json')
    writeFileSync(path, '')
    truncateSync(path, 65 * 1024 * 1024)
    expect(() => readFailure(path)).toThrow(/68157440 bytes; the maximum is/)
  })

  it('text in UTF-16; a byte order mark of UTF-8 is let pass', () => {
    const path = join(root, 'marked.json')
    const text = JSON.stringify(serial())
    writeFileSync(path, Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, 'utf16le')]))
    expect(() => readFailure(path)).toThrow(/encoded in UTF-16; save it as UTF-8/)
    writeFileSync(path, `\ufeff${text}`)
    expect(readFailure(path)).toEqual(FAILURE)
  })

  it('a file that is cut anywhere, or nested without end', () => {
    const text = JSON.stringify(serial())
    for (let length = 0; length < text.length; length += 7)
      expect(reading(() => text.slice(0, length))).toThrow(/truncated/)
    expect(reading(() => '['.repeat(100_000))).toThrow(FailureFileError)
    expect(reading((o) => void (o.input.values = '['.repeat(100_000)))).toThrow(FailureFileError)
  })

  it('whatever stands in a field, in one line that can be printed', () => {
    const nasty = [
      null,
      true,
      -1,
      1.5,
      1e308,
      '',
      'x'.repeat(10_000),
      '\x1b[2J\n',
      '\0',
      [],
      {},
      [[]],
      [null],
      '9'.repeat(5000),
    ]
    const paths: (readonly string[])[] = []
    const collect = (value: unknown, path: readonly string[]) => {
      if (path.length > 0) paths.push(path)
      if (typeof value !== 'object' || value === null) return
      for (const key of Object.keys(value)) collect((value as Line)[key], [...path, key])
    }
    collect(serial(), [])
    const unfit = paths.flatMap((path) =>
      nasty.flatMap((value) => {
        const read = reading((o) => {
          const holder = path.slice(0, -1).reduce((inner, key) => inner[key], o)
          holder[path.at(-1)!] = value
        })
        try {
          read()
          return []
        } catch (error) {
          const isFit =
            error instanceof FailureFileError && !/\p{Cc}/u.test(error.message) && error.message.length < 500
          return isFit ? [] : [{ path, value, error }]
        }
      }),
    )
    expect(unfit).toEqual([])
    expect(paths.length).toBeGreaterThan(30)
  })

  it('what is not there, and what is a folder', () => {
    expect(() => readFailure(join(root, 'gone.json'))).toThrow(/gone\.json: no such file/)
    expect(() => readFailure(root)).toThrow(/cannot be read \(it is a folder\)/)
  })
})

describe('a hostile file', () => {
  const here = project({
    'a.fuzz.ts': `import { fuzz } from 'norn'\nimport './lib.js'\nfuzz('a', {}, () => {})\n`,
    'lib.js': '',
  })
  const written = (change: Partial<SavedFailure>) =>
    saveFailure(here.root, { ...FAILURE, property: 'a', file: 'a.fuzz.ts', aliases: [], ...change })

  it('never makes norn run files outside of the project', async () => {
    for (const to of ['/tmp/evil.js', '../evil.js', './a/../../evil.js']) {
      const { status, stderr } = await here.call('replay', written({ aliases: [['./lib.js', to]] }))
      expect(stderr).toContain(`its alias ./lib.js=${to} leads outside the project; to allow it, pass --alias`)
      expect(status).toBe(2)
    }
  })

  it('says which file of properties is not there', async () => {
    const path = written({ file: 'gone.fuzz.ts' })
    expect(existsSync(path)).toBe(true)
    const { status, stderr } = await here.call('replay', path)
    expect(stderr).toContain(`its file of properties does not exist: gone.fuzz.ts (in ${here.root})`)
    expect(status).toBe(2)
  })
})
