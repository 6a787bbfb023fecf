/** Replays a saved failure for a page, and looks for a passing execution to stand beside it. */
import { relative, resolve } from 'node:path'
import type { RunFlags } from '../options/table.ts'
import type { Reported } from '../report/page/failure-data.ts'
import { passingBeside } from '../session/nearest.ts'
import { FailureFileError, readFailure } from '../storage/failure-file.ts'
import { STATUS, UndecidedError, UsageError } from './exit-status.ts'
import { openFailure } from './open-failure.ts'
import { type Outcome, replayed } from './replay.ts'

/**
 * @param closing ends the replay, which rejects
 * @throws FailureFileError if the file cannot be read; what else does not match stands in the result
 */
export async function replayedFailure(
  path: string,
  root: string,
  flags: RunFlags,
  closing?: AbortSignal,
): Promise<Reported> {
  const saved = readFailure(path)
  const known = { path: relative(root, resolve(path)), saved }
  const unreplayed = (why: string) => ({ ...known, replay: 'not replayed', replayed: why }) as const
  if (saved.open !== undefined) {
    return unreplayed(`Not replayed: found with --open ${saved.open.join(', ')}, so a replay would use real servers.`)
  }
  try {
    const opened = await openFailure(path, flags)
    const close = () => opened.worker.close()
    closing?.addEventListener('abort', close)
    try {
      const { result, explanation, ...outcome } = await replayed(opened)
      const told = { replay: replayOf(outcome), replayed: sentence(outcome.found), result, explanation }
      const { worker, property, input } = opened
      const passing = result.verdict === 'failed' ? await passingBeside(worker, property, input, result) : undefined
      return { ...known, ...told, passing }
    } finally {
      closing?.removeEventListener('abort', close)
      close()
    }
  } catch (error) {
    if (isRefusal(error)) return unreplayed(`Not replayed: ${error.message}`)
    throw error
  }
}

function isRefusal(error: unknown): error is Error {
  return error instanceof FailureFileError || error instanceof UsageError || error instanceof UndecidedError
}

function replayOf({ status, fields }: Pick<Outcome, 'status' | 'fields'>): Reported['replay'] {
  if (status === STATUS.failed) return fields.exact === true ? 'exact' : 'fails'
  return status === STATUS.passed ? 'passes' : 'inconclusive'
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
