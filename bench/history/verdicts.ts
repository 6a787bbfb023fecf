/** Histories with known verdicts, as a whole and as they happen. */
import { checkLinearizable } from '../../packages/history/src/linearizability/check.ts'
import { printer } from '../output.ts'
import type { CommonOptions } from '../suite.ts'
import { knownHistories } from './known-histories.ts'
import { monitored } from './monitored.ts'

export async function run({
  data,
  only,
  json,
}: CommonOptions & { readonly data?: string; readonly only?: string }): Promise<void> {
  const say = printer(json)
  const known = knownHistories(data, 'verdicts', only)
  if (known.length === 0) return
  const wrong: string[] = []
  for (const { name, model, verdict, history } of known) {
    const whole = checkLinearizable(history, model).verdict
    const asItHappens = monitored(history, model).verdict
    if (whole === verdict && asItHappens === verdict) continue
    wrong.push(name)
    say(
      { suite: 'history-verdicts', subject: name, known: verdict, verdict: whole, monitor: asItHappens },
      `${name}: known to be ${verdict}, checked as ${whole}, by the monitor as ${asItHappens}`,
    )
  }
  say(
    { suite: 'history-verdicts', subject: 'all', histories: known.length, wrong: wrong.length },
    `${known.length} histories with known verdicts: ${wrong.length} wrong`,
  )
  if (wrong.length > 0) process.exitCode = 1
}
