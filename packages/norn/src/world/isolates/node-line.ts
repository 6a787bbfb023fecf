/**
 * What a command line of Node runs: a script or a text, with its options. Follows src/node_options.cc:
 * options end at the script; a value follows after `=` or as the next argument. Pure.
 */

import type { Preload } from '../../loader/resolve.ts'

export interface NodeLine {
  /** Options of Node, with their values: `process.execArgv`. */
  readonly execArgv: string[]
  /** The same behind those of NODE_OPTIONS. */
  readonly options: readonly string[]
  /** `-` or nothing for a text that it reads from its standard input. */
  readonly script: string | undefined
  /** The text of `--eval`, in place of a script. */
  readonly text: string | undefined
  /** Whether the text is declared to be an ES module. */
  readonly isModule: boolean
  readonly args: string[]
  /** What is loaded before, in the order of their options. */
  readonly preloads: readonly Preload[]
  readonly envFiles: readonly EnvFile[]
}

/** A file with variables of the environment. */
export interface EnvFile {
  readonly path: string
  readonly isOptional: boolean
}

/** Options by name: whether a value follows as the next argument. */
export type TakesValue = (option: string) => boolean

/** Print the value of a text. */
const PRINTS = ['-p', '-pe', '--print']

/** Print the version, whatever follows. */
const VERSION = ['-v', '--version']

const PLAIN = { script: undefined, isModule: false, args: [], preloads: [], envFiles: [] }

const PRELOAD = /^(-r|--require|--import)(?:=(.*))?$/s

const ENV_FILE = /^--env-file(-if-exists)?$/

/** Options that change nothing that a program of norn can see, or that its warnings heed. */
const HARMLESS =
  /^--(no-)?(warnings|disable-warning|deprecation|throw-deprecation|pending-deprecation|trace-(?!uncaught|sync-io)[\w-]+|enable-source-maps|stack-trace-limit|max-(?!http-|old-space-size-percentage)[\w-]+|stack-size|conserve-memory|title|experimental-(strip-types|vm-modules|require-module|detect-module)|strip-types)$/

/**
 * @param own options of the process that norn runs in, which its children share
 * @param variable the options of NODE_OPTIONS
 *
 * @returns a sentence if it is more than a script or a text
 */
export function nodeLine(
  argv: readonly string[],
  own: readonly string[],
  takesValue: TakesValue,
  variable: readonly string[] = [],
): NodeLine | string {
  const before = variable.length === 0 ? undefined : nodeLine([...variable, '-'], own, takesValue)
  if (typeof before === 'string') return `${before} in NODE_OPTIONS`
  let text: string | undefined
  let isModule = false
  const envFiles: EnvFile[] = []
  let at = 0
  let end: number | undefined
  for (; at < argv.length; at++) {
    const argument = argv[at]!
    if (argument === '--') {
      end = at++
      break
    }
    if (!argument.startsWith('-') || argument === '-') break
    const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(argument)!
    const isPrinted = PRINTS.includes(name)
    const isSeparate = value === undefined && (isPrinted || takesValue(name))
    const given = isSeparate ? argv[at + 1] : value
    if (isSeparate) at++
    if (isSeparate && given === undefined) return refusal(argument)
    if (isOwn(argument, isSeparate ? given : undefined, own)) continue
    if (VERSION.includes(name))
      return { ...PLAIN, execArgv: [name], options: [name], text: 'console.log(process.version)' }
    if (isPrinted) text = `console.log(eval(${JSON.stringify(given)}))`
    else if (name === '-e' || name === '--eval') text = given
    else if (name === '--input-type') {
      if (given !== 'module' && given !== 'commonjs') return refusal(`${name}=${given}`)
      isModule = given === 'module'
    } else if (ENV_FILE.test(name)) envFiles.push({ path: given!, isOptional: name !== '--env-file' })
    else if (!HARMLESS.test(name) && !PRELOAD.test(name)) return refusal(argument)
  }
  const execArgv = argv.slice(0, end ?? at)
  const options = [...variable, ...execArgv]
  const line = { execArgv, options, isModule, preloads: preloadsIn(options, own), envFiles }
  if (text !== undefined) return { ...line, script: undefined, text, args: argv.slice(at) }
  const [script, ...args] = argv.slice(at)
  return { ...line, script, text: undefined, args }
}

/** Whether it reads its program from its standard input. */
export function isFromStdin({ script, text }: NodeLine): boolean {
  return text === undefined && (script === undefined || script === '-')
}

/** What options of Node load before a program. @param own see `nodeLine` */
export function preloadsIn(options: readonly string[], own: readonly string[]): Preload[] {
  return options.flatMap((option, at) => {
    const [, name, value = options[at + 1]] = PRELOAD.exec(option) ?? []
    if (name === undefined || value === undefined || isOwn(option, value, own)) return []
    return [{ kind: name === '--import' ? 'import' : 'require', specifier: value }]
  })
}

function isOwn(argument: string, value: string | undefined, own: readonly string[]): boolean {
  return own.some((each, at) => each === argument && (value === undefined || own[at + 1] === value))
}

function refusal(option: string): string {
  return `a Node with ${option}`
}
