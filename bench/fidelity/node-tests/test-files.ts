/** The files of Node's own tests, and which of them can be a property. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export interface TestFile {
  /** `parallel/test-fs-mkdir.js` */
  readonly name: string
  readonly path: string
  /** Whether it declares tests with `node:test`, which are run one by one. */
  readonly isSuite: boolean
  /** Flags of Node that its head asks for. */
  readonly flags: readonly string[]
  /** Why it is not run under norn. */
  readonly leftOut: string | undefined
}

const FOLDERS = ['parallel', 'sequential']

/** Flags that change nothing of what a test sees of the world. */
const HARMLESS = new Set(['--no-warnings'])

/** Areas in which norn controls nothing: the parts of their names behind `test-`. */
const OTHER_AREAS =
  /^(?:cli|code-cache|compile-cache|config|coverage|debugger|eslint|heap|heapdump|icu|inspect|inspector|intl|node-output|node-run|npm|nodeeventtarget|openssl|permission|process-versions|release|repl|runner|sea|shadow-realm|single-executable|snapshot|startup|strace|tick-processor|tojson|trace|v8|watch|webstorage)(?:-|\.)/

/** @param root the folder that holds `parallel` and `sequential` */
export function testFiles(root: string): readonly TestFile[] {
  return FOLDERS.flatMap((folder) => {
    const names = readdirSync(join(root, folder)).filter((name) => /^test-.*\.m?js$/.test(name))
    return names.sort().map((name) => testFile(join(root, folder, name), `${folder}/${name}`))
  })
}

function testFile(path: string, name: string): TestFile {
  const source = readFileSync(path, 'utf8')
  const flags = [...source.matchAll(/^\/\/ Flags:(.*)$/gm)].flatMap(([, text]) => text!.trim().split(/\s+/))
  const isSuite = /['"]node:test['"]/.test(source)
  return { name, path, isSuite, flags, leftOut: reasonOf(basename(path), source, flags) }
}

function reasonOf(name: string, source: string, flags: readonly string[]): string | undefined {
  if (OTHER_AREAS.test(name.slice('test-'.length))) return 'of an area that norn does not control'
  if (flags.includes('--expose-internals') || source.includes('internal/test/binding')) return 'needs internals of Node'
  if (name.startsWith('test-vm-timeout-escape')) return 'has a time limit that is real'
  const flag = flags.find((each) => !HARMLESS.has(each))
  if (flag !== undefined) return `needs ${flag.replace(/=.*/, '')}`
  return undefined
}
