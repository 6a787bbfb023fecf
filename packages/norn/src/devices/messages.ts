/** What the process of executions and its thread of devices say to each other. */
import type { DatabaseTarget } from '../contract/database.ts'
import type { Outcome, ServerError } from './device.ts'

export interface DevicesData {
  readonly port: import('node:worker_threads').MessagePort
  /** The number of replies that the thread has sent. */
  readonly replies: Int32Array
  readonly targets: readonly DatabaseTarget[]
  /** Real time in which a device has to answer, in milliseconds. */
  readonly patienceMs: number
}

/** What a method of a device is to do. */
export type Action =
  | { readonly type: 'close' | 'elapse' }
  | { readonly type: 'open'; readonly error?: ServerError | undefined }
  | { readonly type: 'hand'; readonly unit: Uint8Array; readonly error?: ServerError | undefined }

export type SessionRequest = Action & { readonly device: number; readonly session: number; readonly atUs: number }

export type DeviceRequest =
  | SessionRequest
  /** All sessions are closed, and the last units lost. */
  | { readonly type: 'restart'; readonly device: number; readonly lost: number; readonly atUs: number }
  /** The execution has ended. Has no reply. */
  | { readonly type: 'end' }

/** `failed`: the server is at fault, with a message for a person. */
export type DeviceReply = { readonly outcome: Outcome } | { readonly failed: string }
