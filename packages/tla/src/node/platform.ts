/** Node as the platform of the engine: its heap, its files, its environment. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { print } from '#shared/print'
import type { Platform } from '../library/platform.ts'
import { heapLimit, heapRoom, heldBytes, isHeapFull, isHeapOverfull, isHeapTight } from './heap.ts'
import { dropUnreachable } from './reachable.ts'

export const NODE_PLATFORM: Platform = {
  memory: {
    get limit() {
      return heapLimit()
    },
    get room() {
      return heapRoom()
    },
    isTight: isHeapTight,
    isFull: isHeapFull,
    isOverfull: isHeapOverfull,
    heldBytes,
    dropUnreachable,
  },
  files: {
    exists: existsSync,
    read: (path, encoding = 'utf8') => readFileSync(path, encoding),
    write: (path, contents, mode, encoding = 'utf8') => writeFileSync(path, contents, { flag: mode, encoding }),
    createFolder: (path) => void mkdirSync(dirname(path), { recursive: true }),
  },
  environment: process.env,
  print,
}
