/**
 * Programs of the machine that norn plays itself, if the test has no stand-in for them. Each does what
 * the one of GNU does with the arguments that are listed; with others it has no part. Pure, but for the
 * files of the execution.
 */
import { resolve } from 'node:path'
import type { CommandContext, CommandResult } from './command-result.ts'

/** The files of the execution. */
export interface UtilityFiles {
  kind(path: string): 'file' | 'directory' | 'nothing'
  read(path: string): Buffer
  /** The names in a directory, in byte order. */
  list(path: string): string[]
}

export interface Utility {
  /** Whether it reads its standard input, and passes it on as it comes. */
  readonly isFilter: boolean
  /** How long it takes, beyond what any program takes, in microseconds. */
  readonly us: number
  /** @param stdin what it has not passed on */
  run(stdin: Uint8Array, context: CommandContext, files: UtilityFiles): CommandResult
}

type Make = (args: readonly string[]) => Utility | undefined

const SECOND_US = 1e6

const FOLDERS = ['/bin', '/usr/bin']

const UNITS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 }

const quick = (run: Utility['run']): Utility => ({ isFilter: false, us: 0, run })

const MAKERS: Readonly<Record<string, Make>> = {
  true: () => quick(() => ({})),
  false: () => quick(() => ({ code: 1 })),
  echo: (args) => {
    const isPlain = args[0] === '-n'
    const words = isPlain ? args.slice(1) : args
    if (/^-[neE]+$/.test(words[0] ?? '') || /^--(help|version)$/.test(args.join(' '))) return undefined
    return quick(() => ({ stdout: `${words.join(' ')}${isPlain ? '' : '\n'}` }))
  },
  cat: (args) => {
    if (args.some((each) => each.startsWith('-') && each !== '-')) return undefined
    const paths = args.length === 0 ? ['-'] : args
    const run: Utility['run'] = (stdin, { cwd }, files) => {
      const errors: string[] = []
      const parts = paths.map((path) => (path === '-' ? stdin : contentOf(path, resolve(cwd, path), files, errors)))
      return { stdout: Buffer.concat(parts), stderr: errors.join(''), code: errors.length > 0 ? 1 : 0 }
    }
    return { isFilter: paths.length === 1 && paths[0] === '-', us: 0, run }
  },
  sleep: (args) => {
    const seconds = args.map((each) => {
      const [, number, unit = ''] = /^(\d+(?:\.\d*)?|\.\d+)([smhd]?)$/.exec(each) ?? []
      return Number(number) * UNITS[unit]!
    })
    const all = seconds.reduce((sum, each) => sum + each, 0)
    return args.length === 0 || Number.isNaN(all) ? undefined : { ...quick(() => ({})), us: all * SECOND_US }
  },
  pwd: (args) => (args.length > 0 ? undefined : quick((_stdin, { cwd }) => ({ stdout: `${cwd}\n` }))),
  env: (args) => {
    if (args.length > 0) return undefined
    return quick((_stdin, { env }) => ({
      stdout: Object.entries(env)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    }))
  },
  ls: (args) => {
    const [first, second = '.'] = args[0]?.startsWith('-') ? args : ['', ...args]
    if (!/^(-[a1A]*)?$/.test(first!) || args.length > (first === '' ? 1 : 2) || second.startsWith('-')) return undefined
    return quick((_stdin, { cwd }, files) => {
      const path = resolve(cwd, second)
      const kind = files.kind(path)
      if (kind === 'nothing') return { stderr: `ls: cannot access '${second}': No such file or directory\n`, code: 2 }
      if (kind === 'file') return { stdout: `${second}\n` }
      const names = files.list(path).filter((name) => /[aA]/.test(first!) || !name.startsWith('.'))
      const all = first!.includes('a') ? ['.', '..', ...names] : names
      return { stdout: all.map((name) => `${name}\n`).join('') }
    })
  },
}

/** @returns undefined if norn does not play the program with these arguments */
export function utility(name: string, args: readonly string[]): Utility | undefined {
  return Object.hasOwn(MAKERS, name) ? MAKERS[name]!(args) : undefined
}

/**
 * The name of a program of the machine that a call means, as execvp finds it; '' if there is none, undefined
 * if it is another one.
 */
export function programOf(file: string, path: string | undefined, files: UtilityFiles): string | undefined {
  const name = file.slice(file.lastIndexOf('/') + 1)
  if (!Object.hasOwn(MAKERS, name)) return undefined
  const folder = file.slice(0, -name.length - 1)
  if (file !== name) return FOLDERS.includes(folder) ? name : undefined
  const found = (path ?? FOLDERS.join(':')).split(':').find((each) => files.kind(`${each}/${name}`) === 'file')
  if (found === undefined) return ''
  return FOLDERS.includes(found) ? name : undefined
}

function contentOf(shown: string, path: string, files: UtilityFiles, errors: string[]): Uint8Array {
  const kind = files.kind(path)
  if (kind === 'file') return files.read(path)
  errors.push(`cat: ${shown}: ${kind === 'directory' ? 'Is a directory' : 'No such file or directory'}\n`)
  return new Uint8Array()
}
