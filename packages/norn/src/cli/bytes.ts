/** The bytes that make an execution, as a call names them: a file, or stdin. */
import { readFileSync, statSync } from 'node:fs'
import type { ExecutionName } from '../contract/plan.ts'
import { UsageError } from './exit-status.ts'

/** More than any fuzzer hands over; a tape of so many choices would be refused. */
const MAX_BYTES = 16 * 1024 * 1024

/** @param execution what else would say which execution to run */
export function readBytes(named: string, execution: ExecutionName | undefined): Buffer {
  if (execution !== undefined) throw new UsageError('--bytes and --execution each name an execution: give one of them')
  const bytes = named === '-' ? readAll(0, 'stdin') : readAll(regularFile(named), named)
  if (bytes.length <= MAX_BYTES) return bytes
  throw new UsageError(`${named} holds ${bytes.length} bytes; an execution is made of ${MAX_BYTES} at most`)
}

function regularFile(named: string): string {
  const status = statSync(named, { throwIfNoEntry: false })
  if (status === undefined) throw new UsageError(`there is no file ${named}`)
  if (!status.isFile()) throw new UsageError(`${named} is no file of bytes; --bytes - reads them from stdin`)
  return named
}

function readAll(from: string | number, name: string): Buffer {
  try {
    return readFileSync(from)
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${(error as Error).message}`)
  }
}
