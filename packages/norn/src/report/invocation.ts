/** How norn was called here, for the commands that reports print. */
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGED = ['npx', 'norn']

const PACKAGE = fileURLToPath(new URL('../../../..', import.meta.url))

/** A command line of norn, in the form of the current call. */
export function commandFor(...args: readonly string[]): string {
  return [...invocation(), ...args.map(quote)].join(' ')
}

/** A command line of norn as a package of the project. */
export function packagedCommand(...args: readonly string[]): string {
  return [...PACKAGED, ...args.map(quote)].join(' ')
}

function invocation(): readonly string[] {
  const script = process.argv[1] ?? ''
  if (!script.endsWith('.ts')) return PACKAGED
  // Run from its source: by a script of its package, or from elsewhere by its path.
  if (resolve(PACKAGE) === process.cwd()) return ['npm', 'run', '-s', 'norn', '--']
  return ['node', quote(relative(process.cwd(), script))]
}

function quote(argument: string): string {
  return /^[\w./:=@%+,-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`
}
