// The subjects' packages that bring no types: what the properties use of them, and no more.

declare module 'lockfile-buggy' {
  type Done = (error?: Error | null) => void
  const lockFile: {
    lock(path: string, options: { stale?: number }, done: Done): void
    unlock(path: string, done: Done): void
  }
  export default lockFile
}

declare module 'mkdirp-buggy' {
  const mkdirp: { mkdirp(path: string, mode: number, done: (error?: Error | null) => void): void }
  export default mkdirp
}

declare module 'cinovo-logger-file-buggy' {
  type Done = (error?: Error | null) => void
  interface Endpoint {
    log(entry: unknown, done: Done): void
    stop(done: Done): void
    _log(entry: unknown, done: Done): void
    rollFile(done: Done): void
  }
  export default function createEndpoint(
    debug: boolean,
    info: boolean,
    error: boolean,
    critical: boolean,
    directory: string,
    prefix: string,
    suffix: string,
    maxSize_bytes: number,
    maxAge_s: number,
    maxFiles: number,
    opened: (error: Error | null | undefined, endpoint: Endpoint) => void,
  ): void
}

declare module 'cinovo-logger-file-buggy/index.js' {
  import createEndpoint from 'cinovo-logger-file-buggy'
  export default createEndpoint
}

declare module 'steno-buggy' {
  const steno: { writeFile(path: string, data: string, done: (error?: Error | null) => void): void }
  export default steno
}

declare module 'write-file-atomic-buggy' {
  export default function writeFileAtomic(path: string, data: string, done: (error?: Error | null) => void): void
}

declare module 'sonic-boom-buggy' {
  import type { EventEmitter } from 'node:events'
  export default class SonicBoom extends EventEmitter {
    constructor(path: string)
    write(data: string): boolean
    reopen(): void
    end(): void
  }
}

declare module 'generic-pool-buggy' {
  const genericPool: {
    createPool<T>(
      factory: { create(): Promise<T>; destroy(resource: T): Promise<void> },
      options: { min: number; max: number },
    ): { drain(): Promise<void>; clear(): Promise<void> }
  }
  export default genericPool
}

declare module 'p-queue-buggy' {
  export default class PQueue {
    constructor(options: { concurrency: number })
    add<T>(job: () => Promise<T>): Promise<T>
    onEmpty(): Promise<void>
    pause(): void
    start(): void
    readonly size: number
  }
}

declare module 'generic-pool-destroy-buggy' {
  const genericPool: {
    createPool<T>(
      factory: { create(): Promise<T>; destroy(resource: T): Promise<void> },
      options: { max: number },
    ): { acquire(): Promise<T>; destroy(resource: T): Promise<void> }
  }
  export default genericPool
}

declare module 'ioredis-buggy' {
  import type { EventEmitter } from 'node:events'
  export default class Redis extends EventEmitter {
    constructor(port: number, host: string)
    ping(): Promise<string>
    disconnect(reconnect?: boolean): void
  }
}

declare module 'ioredis-pipeline-buggy' {
  import type { EventEmitter } from 'node:events'

  interface Pipeline {
    incr(key: string): Pipeline
    exec(): Promise<unknown>
  }
  export default class Redis extends EventEmitter {
    constructor(port: number, host: string)
    pipeline(): Pipeline
    disconnect(): void
  }
}

declare module 'ws-close-frame-buggy' {
  import type { EventEmitter } from 'node:events'
  import type { AddressInfo } from 'node:net'

  class Server extends EventEmitter {
    constructor(options: { host: string; port: number })
    address(): AddressInfo
    close(): void
  }
  export default class WebSocket extends EventEmitter {
    static readonly Server: typeof Server
    static readonly OPEN: number
    readonly readyState: number
    constructor(address: string)
    send(message: string): void
    close(code: number, reason: string): void
  }
}

declare module 'ws-buggy' {
  import type { EventEmitter } from 'node:events'
  import type { AddressInfo } from 'node:net'

  interface ServerOptions {
    host: string
    port: number
    verifyClient(info: unknown, done: (accepted: boolean) => void): void
  }
  class Server extends EventEmitter {
    constructor(options: ServerOptions)
    address(): AddressInfo
    close(): void
  }
  export default class WebSocket extends EventEmitter {
    static readonly Server: typeof Server
    constructor(address: string)
    terminate(): void
  }
}
