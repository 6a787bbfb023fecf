/**
 * How the scripts of a package call a test runner: its words, and what they mean where the runner takes options
 * there that others have in a configuration. A script that computes its words is not read.
 */

export interface ScriptCall {
  /** The values of options, by their long names; of one without a value, none. */
  readonly options: Readonly<Record<string, readonly string[]>>
  /** What is no option, in order: files, folders and globs. */
  readonly words: readonly string[]
}

/** Options whose value is the next word, of mocha, node, tape and ava. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  ...['require', 'import', 'loader', 'experimental-loader', 'file', 'reporter', 'reporter-option', 'timeout', 'slow'],
  ...['retries', 'ui', 'config', 'package', 'grep', 'fgrep', 'extension', 'ignore', 'exclude', 'jobs', 'global'],
  ...['node-option', 'test-reporter', 'test-reporter-destination', 'test-name-pattern', 'conditions', 'env-file'],
  ...['concurrency', 'match', 'spec'],
])

const SHORT: Readonly<Record<string, string>> = {
  ...{ r: 'require', t: 'timeout', s: 'slow', u: 'ui', R: 'reporter', O: 'reporter-option', g: 'grep', f: 'fgrep' },
  ...{ j: 'jobs', C: 'conditions' },
}

/** The scripts that test, by their names; the shortest first, as `test` may call others. */
export function testScripts(scripts: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(scripts)
    .filter((name) => /^(?:test|unit)/.test(name))
    .sort((a, b) => a.length - b.length)
    .map((name) => scripts[name]!)
}

/**
 * How a script calls a runner; undefined if it does not.
 *
 * @param call recognises what the words of the runner follow
 */
export function scriptCall(script: string, call: RegExp): ScriptCall | undefined {
  const part = script.split(/&&|\|\||;/).find((each) => call.test(each))
  if (part === undefined) return undefined
  const words = part.match(/'[^']*'|"[^"]*"|\S+/g) ?? []
  const from = words.findIndex((word) => call.test(word) || word === '--test')
  return read(words.slice(from + 1).map((word) => word.replace(/^['"]|['"]$/g, '')))
}

function read(words: readonly string[]): ScriptCall {
  const options: Record<string, string[]> = {}
  const plain: string[] = []
  const left = words.values()
  for (const word of left) {
    const [, name, value] = /^--?([\w-]+)(?:=(.*))?$/.exec(word) ?? []
    if (name === undefined) {
      plain.push(word)
      continue
    }
    const long = SHORT[name] ?? name
    const values = (options[long] ??= [])
    if (value !== undefined) values.push(value)
    else if (WITH_VALUE.has(long)) values.push(left.next().value ?? '')
  }
  return { options, words: plain }
}
