/** A call of Node by a program: its command line and its environment, beside those of the process that norn runs in. */
import process from 'node:process'
import { requireInternal } from '../../loader/internals.ts'
import type { Preload } from '../../loader/resolve.ts'
import { type NodeLine, nodeLine, preloadsIn } from './node-line.ts'

/** What lib/internal/options.js says of Node's options. */
interface CliOptions {
  getCLIOptionsInfo(): {
    readonly options: ReadonlyMap<string, { readonly type: number }>
    readonly aliases: ReadonlyMap<string, readonly string[]>
  }
}

/** Types of options whose value may be the next argument: from integers on. */
const FIRST_WITH_VALUE = 3

/** Variables beside NODE_OPTIONS that Node reads once, when it begins. */
const READ_ONCE = [
  ...['NODE_PATH', 'NODE_DEBUG', 'NODE_DEBUG_NATIVE', 'NODE_V8_COVERAGE', 'NODE_REDIRECT_WARNINGS'],
  ...['NODE_EXTRA_CA_CERTS', 'NODE_PENDING_DEPRECATION', 'NODE_PRESERVE_SYMLINKS', 'NODE_PRESERVE_SYMLINKS_MAIN'],
]

/** Options and variables with which norn's process began, which hold for the children of programs too. */
const OWN_OPTIONS = [...process.execArgv]
const OWN_VARIABLES = { ...process.env }

/** @returns a sentence if it asks for what norn does not play */
export function nodeCall(argv: readonly string[], env: Readonly<NodeJS.ProcessEnv>): NodeLine | string {
  const variable = READ_ONCE.find((name) => env[name] && env[name] !== OWN_VARIABLES[name])
  if (variable !== undefined) return `a Node with ${variable}`
  const options = optionsIn(env.NODE_OPTIONS ?? '')
  if (options.some((each) => /["\\]/.test(each))) return 'a Node with NODE_OPTIONS in quotes'
  return nodeLine(argv, OWN_OPTIONS, takesValue, options)
}

/** What a thread loads before its script. */
export function threadPreloads(execArgv: readonly string[], env: Readonly<NodeJS.ProcessEnv>): Preload[] {
  return preloadsIn([...optionsIn(env.NODE_OPTIONS ?? ''), ...execArgv], OWN_OPTIONS)
}

/** Beyond those of norn's process. */
function optionsIn(variable: string): string[] {
  const own = OWN_VARIABLES.NODE_OPTIONS ?? ''
  const more = variable.startsWith(own) ? variable.slice(own.length) : variable
  return more.split(' ').filter((each) => each !== '')
}

function takesValue(option: string): boolean {
  const { options, aliases } = requireInternal<CliOptions>('internal/options').getCLIOptionsInfo()
  const [name = option] = aliases.get(option) ?? []
  return (options.get(name)?.type ?? 0) >= FIRST_WITH_VALUE
}
