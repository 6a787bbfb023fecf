/** What a step did to a file, for reports. */
export interface FileChange {
  /** Index of the event in the trace. */
  readonly at: number
  /** As traces name it. */
  readonly path: string
  /** What the file holds then, cut, or how large it is; missing once it is gone. */
  readonly text?: string
}
