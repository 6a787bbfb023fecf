/**
 * What the engine needs from its platform. The engine imports no Node builtin, so that it runs in
 * browsers; src/node/platform.ts implements this for Node.
 */
import { type Memory, UNLIMITED_MEMORY } from '../values/memory.ts'

export type Encoding = 'utf8' | 'ascii' | 'latin1' | 'utf16le'

/** Files that a specification reads and writes (Json, CSV, IOUtils). Functions may throw. */
export interface Files {
  exists(path: string): boolean
  read(path: string, encoding?: Encoding): string
  /**
   * @param mode as for `fopen`: `w` replaces the file, `wx` creates it, `a` appends, `r+`
   *   overwrites its beginning
   */
  write(path: string, contents: string, mode: 'w' | 'wx' | 'a' | 'r+', encoding?: Encoding): void
  /** Creates the folder of a file if it is missing. */
  createFolder(path: string): void
}

export interface Platform {
  readonly memory: Memory
  readonly files: Files
  /** Environment variables, for IOEnv. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Prints the output of a specification: lines, without a final line feed. */
  print(lines: string): void
}

const refused = (): never => {
  throw new Error('this platform has no files')
}

/** A platform without files, environment variables or a known memory limit, such as a browser. */
export const BARE_PLATFORM: Platform = {
  memory: UNLIMITED_MEMORY,
  files: { exists: () => false, read: refused, write: refused, createFolder: refused },
  environment: {},
  print: (lines) => console.log(lines),
}
