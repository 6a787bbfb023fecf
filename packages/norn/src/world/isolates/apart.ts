/** State inside Node that each isolate has of its own. */
export interface Apart {
  /** Takes that of the running isolate; then it is as in a new one. */
  take(): unknown
  put(kept: unknown): void
}
