/** Checks that batches get the answers that single commands get, up to the first error, whatever their length. */
import type { Data } from '../system.ts'
import { CrashLosses, runOnce } from './check-execution.ts'
import type { CheckResult } from './check-result.ts'
import type { ProgramHost } from './program-host.ts'
import { type Command, parseBatch, parseError, ShapeError } from './protocol.ts'
import { same, singly, type Transcript } from './transcript.ts'

/** A batch of more than the buffer of a pipe: commands, and characters of each. */
const LARGE_BATCH = 100
const LARGE_COMMAND = 10_000

/**
 * @param host undefined if the program takes no batches
 * @param transcript of the host's executions
 * @param baseline the transcripts of executions with the seeds 0, 1, …, in single commands
 * @throws ProgramFailure or ReportedFailure
 */
export function* checkBatches(
  host: ProgramHost | undefined,
  requests: readonly Data[],
  transcript: Transcript,
  baseline: readonly (readonly string[])[],
): Generator<CheckResult> {
  const check = 'batches'
  if (host === undefined) {
    yield { check, verdict: 'skipped', text: 'none sent: `hello` does not say "batches": true' }
    return
  }
  const reset = { command: 'reset', seed: 0, comment: 'x'.repeat(LARGE_COMMAND) } as Command
  host.reset(0)
  host.batch(Array.from({ length: LARGE_BATCH }, () => reset))
  while (host.hasNext) host.next()
  const wrong = { command: 'batch', commands: [reset, { command: 'no such command' }, reset] }
  const [, second = {}] = parseBatch(host.ask(wrong).answer, 3)
  if (parseError(second) === undefined) throw new ShapeError('answers[1]: expected an error, which ends the answers')
  const batched = baseline.map((_, seed) => {
    runOnce(host, requests, seed, new CrashLosses())
    return singly(transcript.lines)
  })
  const text = 'commands in batches get the same answers as alone'
  yield same(check, baseline.map(singly), batched, text, 'does each command of a batch do what it does alone?')
}
