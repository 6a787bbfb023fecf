/** Where a command of another program runs, and what comes of it. */

/**
 * Where a command runs.
 *
 * @public
 */
export interface CommandContext {
  readonly env: Readonly<Record<string, string>>
  /** Absolute. */
  readonly cwd: string
}

/**
 * What a command prints, and how it ends: with exit code 0 unless given.
 *
 * @public
 */
export interface CommandResult {
  readonly stdout?: string | Uint8Array
  readonly stderr?: string | Uint8Array
  /** From 0 to 255. */
  readonly code?: number
  /** The signal that ends it, such as 'SIGKILL'. */
  readonly signal?: `SIG${string}`
}
