/**
 * What the engine asks of the platform that it runs on. The engine itself imports no builtin of
 * Node, so that it runs in browsers; src/node/platform.ts implements this for Node.
 */
import { type Memory, UNLIMITED_MEMORY } from './values/memory.ts'

export type Encoding = 'utf8' | 'ascii' | 'latin1' | 'utf16le'

/**
 * Files that a specification reads and writes (Json, CSV, IOUtils). Each function throws an Error.
 */
export interface Files {
  exists(path: string): boolean
  read(path: string, encoding?: Encoding): string
  /**
   * @param mode as of `fopen`: `w` replaces the file, `wx` creates it, `a` appends, `r+` overwrites
   * its beginning
   */
  write(path: string, contents: string, mode: 'w' | 'wx' | 'a' | 'r+', encoding?: Encoding): void
  /** Creates the folder of a file, if it is missing. */
  createFolder(path: string): void
}

export interface Platform {
  readonly memory: Memory
  readonly files: Files
  /** Environment variables, for IOEnv. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Prints what a specification prints: lines, without a line feed at the end. */
  print(lines: string): void
}

const refused = (): never => {
  throw new Error('this platform has no files')
}

/**
 * A platform without files, environment variables or a known limit of memory: a browser, for
 * example.
 */
export const BARE_PLATFORM: Platform = {
  memory: UNLIMITED_MEMORY,
  files: { exists: () => false, read: refused, write: refused, createFolder: refused },
  environment: {},
  print: (lines) => console.log(lines),
}
