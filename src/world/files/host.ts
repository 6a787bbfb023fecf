/**
 * Between the files and the world: what the world decides (when), and what the files do (what).
 */

/**
 * One operation of the thread pool: it takes effect some time after it was submitted, and calls back some time after
 * that. The world decides both latencies.
 */
export interface PoolOperation {
  /** 'open', 'read', 'unlink', ... */
  readonly kind: string
  /** The path (absolute, resolved lexically), or for a descriptor the path it was opened with. */
  readonly resource: string
  /** Performed once, synchronously; may throw the uv error. */
  effect(): unknown
  /** Called once, after the effect: runs the callback, or settles the promise. */
  complete(error: unknown, result: unknown): void
}

export interface FilesHost {
  /** False: Node's own functions run, untouched. */
  readonly active: () => boolean
  submit(operation: PoolOperation): void
  /** A synchronous operation is about to be performed: the clock advances, the trace notes it. */
  performed(kind: string, resource: string): void
  /** Something that is not controlled was asked for: throws. */
  refuse(what: string): never
  /** The time that the files of the disk were last touched: before any execution, in milliseconds since the epoch. */
  readonly baseTimeMs: number
  /** Milliseconds since the epoch, with fractions. */
  now(): number
  /** Six characters for a temporary name. */
  random6(): string
  output(fd: number, bytes: Uint8Array): void
  /** The working directory, absolute. */
  cwd(): string
}
