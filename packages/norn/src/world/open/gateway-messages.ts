/** What the gateway and the thread with the real sockets say to each other. */

/** Where a real socket connects to: a port or a Unix socket. */
export type Target = { readonly host: string; readonly port: number } | { readonly path: string }

/** What a connection does, named by its number. */
export type Order =
  | { readonly id: number; readonly type: 'dial'; readonly target: Target }
  | { readonly id: number; readonly type: 'data'; readonly bytes: Uint8Array }
  /** `end`: no more is sent; `close`: and nothing is read; `destroy`: at once. */
  | { readonly id: number; readonly type: 'end' | 'close' | 'reset' | 'destroy' | 'pause' | 'resume' }

export interface Local {
  readonly address: string
  readonly port: number
}

/** What happened to a connection. */
export type News =
  | { readonly id: number; readonly type: 'connected'; readonly local: Local | undefined }
  /** It could not be established, or broke; `code` is the system's. */
  | { readonly id: number; readonly type: 'error'; readonly code: string }
  | { readonly id: number; readonly type: 'data'; readonly bytes: Uint8Array }
  | { readonly id: number; readonly type: 'end' }

/** What the thread starts with. */
export interface GatewayData {
  readonly port: import('node:worker_threads').MessagePort
  /** The number of messages that the thread has sent. */
  readonly sent: Int32Array
}
