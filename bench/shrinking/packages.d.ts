// The subjects' packages that bring no types: what the properties use of them, and no more.

declare module 'proper-lockfile' {
  interface LockOptions {
    stale?: number
    update?: number
    realpath?: boolean
    onCompromised?(error: Error): void
  }
  const lockfile: { lock(path: string, options: LockOptions): Promise<() => Promise<void>> }
  export default lockfile
}
