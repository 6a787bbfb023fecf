// Packages that bring no types: what the tests use of them, and no more.

declare module 'async' {
  // biome-ignore lint/suspicious/noExplicitAny: callbacks and promises of any shape; the tests say which
  const async: any
  export default async
}

declare module 'graceful-fs' {
  import realFs from 'node:fs'

  const fs: typeof realFs & { gracefulify(fs: object): object }
  export default fs
}

declare module 'write-file-atomic' {
  interface Options {
    readonly mode?: number
    readonly encoding?: string
    readonly fsync?: boolean
    readonly tmpfileCreated?: (name: string) => void
  }
  const writeFileAtomic: {
    (path: string, data: string | Buffer, options?: Options | string): Promise<void>
    (path: string, data: string, done: (error?: Error | null) => void): void
    sync(path: string, data: string, options?: Options): void
  }
  export default writeFileAtomic
}
