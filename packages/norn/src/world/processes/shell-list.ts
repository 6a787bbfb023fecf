/**
 * A line of a shell that runs several programs: lists with `;`, `&&` and `||`, pipelines, and `>&2`
 * (POSIX, XCU 2.9), of the programs that norn plays, `cd` and `exit`. Pure, but for the files of the
 * execution.
 */
import { resolve } from 'node:path'
import type { CommandContext, CommandResult } from './command-result.ts'
import { tokensOf } from './shell-line.ts'
import { type Utility, type UtilityFiles, utility } from './utilities.ts'

/** One program of a line. */
export interface Simple {
  readonly words: string[]
  /** Variables for it alone. */
  readonly env: Record<string, string>
  /** `>&2`, `2>&1`, `>/dev/null` and `2>/dev/null`, in order. */
  readonly redirections: string[]
}

export interface Item {
  readonly after: ';' | '&&' | '||'
  readonly pipeline: Simple[]
}

const TO_ERROR = '>&2'

/** Programs that print nothing. */
const SILENT = ['true', 'false', ':', 'cd', 'sleep']

/** @returns undefined if something in the line is not played by norn */
export function shellList(line: string, env: Readonly<Record<string, string>>): Utility | undefined {
  const items = shellItems(line, env)
  if (items === undefined || !items.every(({ pipeline }) => pipeline.every(isPlain))) return undefined
  const first = items[0]!.pipeline[0]!
  if (items.length === 1 && items[0]!.pipeline.length === 1 && first.redirections.length === 0) {
    const only = playedBy(first.words)
    if (only?.isFilter === true) return only
  }
  let us = 0
  for (const [index, { pipeline }] of items.entries()) {
    for (const { words } of pipeline) {
      const played = playedBy(words)
      const isAlone = pipeline.length === 1
      if (played === undefined || (!isAlone && ['cd', 'exit'].includes(words[0]!))) return undefined
      // What comes before a pause is read before it, and so is what a filter has to wait for.
      const isFirst = items
        .slice(0, index)
        .every((each) => each.pipeline.every((one) => SILENT.includes(one.words[0]!)))
      if (played.us > 0 && (!isAlone || !isFirst || index > 0)) return undefined
      us += played.us
    }
    if (playedBy(pipeline[0]!.words)!.isFilter) return undefined
  }
  return { isFilter: false, us, run: (_stdin, context, files) => run(items, context, files) }
}

/** Whether it does nothing that needs a shell of its own. */
function isPlain({ env, redirections }: Simple): boolean {
  return Object.keys(env).length === 0 && redirections.every((each) => each === TO_ERROR)
}

function run(items: readonly Item[], context: CommandContext, files: UtilityFiles): CommandResult {
  const [stdout, stderr]: [Uint8Array[], Uint8Array[]] = [[], []]
  let { cwd } = context
  let code = 0
  for (const { after, pipeline } of items) {
    if ((after === '&&' && code !== 0) || (after === '||' && code === 0)) continue
    let input: Uint8Array = new Uint8Array()
    for (const { words, redirections } of pipeline) {
      if (words[0] === 'exit') {
        code = words[1] === undefined ? code : Number(words[1])
        return { stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr), code }
      }
      const result = playedBy(words)!.run(input, { ...context, cwd }, files)
      code = result.code ?? 0
      if (words[0] === 'cd' && code === 0) cwd = resolve(cwd, words[1]!)
      if (result.stderr) stderr.push(Buffer.from(result.stderr as string))
      input = Buffer.from((result.stdout ?? '') as string)
      if (redirections.includes(TO_ERROR)) {
        stderr.push(input)
        input = new Uint8Array()
      }
    }
    stdout.push(input)
  }
  return { stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr), code }
}

/** What a shell runs for the words of a command, whose own commands come before programs. */
export function playedBy([name, ...args]: readonly string[]): Utility | undefined {
  const nothing: Utility = { isFilter: false, us: 0, run: () => ({}) }
  if (name === ':') return nothing
  if (name === 'exit') return args.length <= 1 && /^\d{0,2}$/.test(args.join('')) ? nothing : undefined
  // Shells differ in what `echo` makes of a backslash.
  if (name === 'echo' && args.some((each) => each.includes('\\'))) return undefined
  // It has variables of the shell.
  if (name === 'env') return undefined
  if (name !== 'cd') return utility(name!, args)
  if (args.length !== 1 || args[0]!.startsWith('-')) return undefined
  const isThere: Utility['run'] = (_stdin, { cwd }, files) =>
    files.kind(resolve(cwd, args[0]!)) === 'directory'
      ? {}
      : { stderr: `/bin/sh: 1: cd: can't cd to ${args[0]}\n`, code: 2 }
  return { ...nothing, run: isThere }
}

/** @returns undefined if it has something that norn's shell does not know; see `tokensOf` */
export function shellItems(line: string, env: Readonly<Record<string, string>>): Item[] | undefined {
  const items: Item[] = []
  const simple = (): Simple => ({ words: [], env: {}, redirections: [] })
  let item: Item = { after: ';', pipeline: [simple()] }
  const isComplete = () => item.pipeline.every(({ words }) => words.length > 0)
  for (const token of tokensOf(line, env) ?? [{ operator: '' }]) {
    const current = item.pipeline.at(-1)!
    if ('assigned' in token) current.env[token.assigned[0]] = token.assigned[1]
    else if ('word' in token) {
      if (current.redirections.length > 0) return undefined
      current.words.push(token.word)
    } else if (token.operator.includes('>')) current.redirections.push(token.operator)
    else if (!isComplete()) return undefined
    else if (token.operator === '|') item.pipeline.push(simple())
    else {
      items.push(item)
      item = { after: token.operator as Item['after'], pipeline: [simple()] }
    }
  }
  const last = item.pipeline[0]!
  const isEnd = item.after === ';' && item.pipeline.length === 1 && last.words.length === 0 && isPlain(last)
  if (isEnd && items.length > 0) return items
  return isComplete() ? [...items, item] : undefined
}
