/** The bytes of `--bytes`: from a file, or stdin. */
import { readFileSync, statSync } from 'node:fs'
import type { ExecutionName } from '../contract/plan.ts'
import { numberText } from '../contract/text.ts'
import { UsageError } from './exit-status.ts'

/** More than other fuzzers produce; the tape of so many choices would be too long. */
const MAX_BYTES = 16 * 1024 * 1024

/** @param execution the value of `--execution`, which excludes `--bytes` */
export function readBytes(named: string, execution: ExecutionName | undefined): Buffer {
  if (execution !== undefined) throw new UsageError('--bytes and --execution exclude each other: pass one of them')
  const bytes = named === '-' ? readAll(0, 'stdin') : readAll(regularFile(named), named)
  if (bytes.length <= MAX_BYTES) return bytes
  throw new UsageError(
    `--bytes: ${named} has ${numberText(bytes.length)} bytes; the maximum is ${numberText(MAX_BYTES)}`,
  )
}

function regularFile(named: string): string {
  const status = statSync(named, { throwIfNoEntry: false })
  if (status === undefined) throw new UsageError(`--bytes: no such file: ${named}`)
  if (!status.isFile()) throw new UsageError(`--bytes: not a regular file: ${named}. Use --bytes - to read stdin`)
  return named
}

function readAll(from: string | number, name: string): Buffer {
  try {
    return readFileSync(from)
  } catch (error) {
    throw new UsageError(`--bytes: cannot read ${name}: ${(error as Error).message}`)
  }
}
