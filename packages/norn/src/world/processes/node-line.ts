/**
 * What a command line of Node runs: a script or a text, with its options. Follows src/node_options.cc:
 * options end at the script; a value follows after `=` or as the next argument. Pure.
 */

export interface NodeLine {
  /** Options of Node, with their values: `process.execArgv`. */
  readonly execArgv: string[]
  readonly script: string | undefined
  /** The text of `--eval`, in place of a script. */
  readonly text: string | undefined
  /** Whether the text is declared to be an ES module. */
  readonly isModule: boolean
  readonly args: string[]
}

/** Options by name: whether a value follows as the next argument. */
export type TakesValue = (option: string) => boolean

/** Print the value of a text. */
const PRINTS = ['-p', '-pe', '--print']

/** Options that change nothing that a program of norn can see. */
const HARMLESS =
  /^--(no-)?(warnings|deprecation|pending-deprecation|trace-(?!uncaught|sync-io)[\w-]+|enable-source-maps|stack-trace-limit|max-(?!http-)[\w-]+|stack-size|conserve-memory|title|experimental-(strip-types|vm-modules|require-module|detect-module)|strip-types)$/

/**
 * @param own options of the process that norn runs in, which its children share
 *
 * @returns a sentence if it is more than a script or a text
 */
export function nodeLine(argv: readonly string[], own: readonly string[], takesValue: TakesValue): NodeLine | string {
  let text: string | undefined
  let isModule = false
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
    if (isPrinted) text = `console.log(eval(${JSON.stringify(given ?? '')}))`
    else if (name === '-e' || name === '--eval') text = given ?? ''
    else if (name === '--input-type') {
      if (given !== 'module' && given !== 'commonjs') return refusal(`${name}=${given}`)
      isModule = given === 'module'
    } else if (!HARMLESS.test(name) && !isOwn(argument, isSeparate ? given : undefined, own)) return refusal(argument)
    if (isSeparate) at++
  }
  const execArgv = argv.slice(0, end ?? at)
  if (text !== undefined) return { execArgv, script: undefined, text, isModule, args: argv.slice(at) }
  const [script, ...args] = argv.slice(at)
  if (script === undefined || script === '-') return 'a Node that reads its program from stdin'
  return { execArgv, script, text: undefined, isModule, args }
}

function isOwn(argument: string, value: string | undefined, own: readonly string[]): boolean {
  return own.some((each, at) => each === argument && (value === undefined || own[at + 1] === value))
}

function refusal(option: string): string {
  return `a Node with ${option}`
}
