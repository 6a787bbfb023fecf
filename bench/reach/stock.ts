/** Runs the corrected programs of the suite on stock Node, as a check of the programs themselves. */
import { resolve } from 'node:path'
import { runBaseline } from '../processes.ts'

const CHILD = resolve(import.meta.dirname, 'stock-child.ts')
/** A program that has not ended by then does not end. */
const LIMIT_MS = 120_000

/** @returns undefined if the first property of the file passes, else why not */
export async function problemOnStock(file: string): Promise<string | undefined> {
  const { status, stderr } = await runBaseline(CHILD, file, LIMIT_MS)
  if (status === 0) return undefined
  return stderr.split('\n').find((line) => /error/i.test(line)) ?? `exit status ${status}`
}
