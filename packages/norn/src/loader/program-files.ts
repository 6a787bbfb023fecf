/** The files as the running execution has changed them; the world gives them to the loader. */

export interface ProgramFiles {
  /** How many paths the execution changed. If none, the disk answers. */
  changes(): number
  /** Their names appeared, went away, or have other data. */
  changedPaths(): readonly string[]
  kind(path: string): 'file' | 'directory' | 'nothing'
  /** Throws Node's error if nothing is there. */
  realPath(path: string): string
  /** Throws Node's error if there is no file. */
  read(path: string): Buffer
  /** Whether the file at a real path is the one on the disk, with the same bytes. */
  isOriginal(path: string): boolean
}
