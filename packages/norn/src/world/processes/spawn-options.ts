/** What a call asks of a child process, as lib/internal/child_process.js hands it to C++. */

import type { NodeLine } from '../isolates/node-line.ts'
import type { Found, ShellItem } from './commands.ts'

/** What a call runs: a stand-in, Node, or a shell that runs some of these. */
export type Run =
  | { readonly found: Found; readonly line?: undefined; readonly shell?: undefined }
  | { readonly found?: undefined; readonly line: NodeLine; readonly shell?: undefined }
  | { readonly found?: undefined; readonly line?: undefined; readonly shell: readonly ShellItem[] }

/** One entry of `stdio`. */
export interface Stdio {
  readonly type: 'ignore' | 'pipe' | 'overlapped' | 'inherit' | 'fd' | 'wrap'
  readonly handle?: object
  readonly fd?: number
  readonly ipc?: boolean
  readonly input?: ArrayBufferView
}

export interface Options {
  readonly file: string
  readonly args: readonly string[] | undefined
  readonly cwd: string | undefined
  readonly envPairs: readonly string[] | undefined
  readonly stdio: readonly Stdio[]
  readonly detached: boolean
}

export interface SyncOptions extends Options {
  readonly timeout?: number
  readonly maxBuffer?: number
  readonly killSignal?: number
}

/** The arguments from the name on, as C++ reads them: each becomes text. */
export function argvOf({ file, args = [file] }: Pick<Options, 'file' | 'args'>): string[] {
  return args.map((each: unknown) => `${each}`)
}
