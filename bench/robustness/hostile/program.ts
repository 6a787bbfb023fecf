/**
 * Hostile network programs as data: a server, its clients, and what both do in each callback of the
 * other. run.ts interprets them, on stock Node and under norn alike.
 */

/** Bytes as latin1, or a text many times. */
export type Bytes = string | { readonly repeat: string; readonly times: number }

/** Kinds of objects that reactions belong to. */
export type Role =
  | ('server' | 'accepted' | 'incoming' | 'response' | 'upgraded' | 'peer')
  | ('client' | 'request' | 'reply' | 'fetch' | 'websocket' | 'agent')

/** `this` is the object with the event; others are those of the same connection, or the latest. */
export type Target = 'this' | Role

export type Arg =
  | { readonly bytes: Bytes }
  | { readonly value: unknown }
  | { readonly error: string }
  | { readonly callback: readonly Action[] }

export type When = 'now' | 'tick' | 'microtask' | 'immediate' | number

export interface Action {
  readonly on: Target
  /** A method of the object, or one of the calls of calls.ts. */
  readonly call: string
  readonly args?: readonly Arg[]
  /** In milliseconds, or at a place of the loop; now unless set. */
  readonly when?: When
}

export interface Reaction {
  readonly role: Role
  readonly event: string
  /** Only that occurrence, from 0; each of the first 50 unless set. */
  readonly nth?: number
  readonly does: readonly Action[]
}

export interface Server {
  readonly kind: 'net' | 'http' | 'ws'
  readonly options: object
  readonly listen?: object
}

export interface Client {
  readonly kind: 'net' | 'http' | 'fetch' | 'ws' | 'WebSocket'
  readonly options: object
  /** When it starts, in milliseconds after the server listens. */
  readonly afterMs: number
  readonly count: number
  /** What a `net` client sends, and when. */
  readonly sends?: readonly { readonly bytes: Bytes; readonly afterMs: number }[]
  /** Chunks of a body of `fetch`; it then ends, errors, or stays open. */
  readonly body?: { readonly chunks: readonly Bytes[]; readonly ends: 'end' | 'error' | 'never' }
}

export interface Program {
  /** The shape of program, for the table. */
  readonly family: string
  readonly server: Server
  readonly clients: readonly Client[]
  /** Its deadline in milliseconds; 120 unless set. */
  readonly endMs?: number
  readonly reactions: readonly Reaction[]
  readonly timed: readonly { readonly atMs: number; readonly does: Action }[]
  /** Roles that read nothing, and roles that have no listener for errors. */
  readonly silent: readonly Role[]
  readonly deaf: readonly Role[]
  /** Optional events that are listened to: `upgrade`, `checkContinue`, ... */
  readonly hears: readonly string[]
}

export function bytesOf(bytes: Bytes): Buffer {
  return Buffer.from(typeof bytes === 'string' ? bytes : bytes.repeat.repeat(bytes.times), 'latin1')
}
