/**
 * What it is worth to evaluate modules once: executions a second of processor time of programs that people have,
 * with modules that executions share, and with `freshModules`, in turns. Preparing counts. The two sides run the
 * same campaigns, and must give the same results: exits with 1 if they do not.
 */
import { isDeepStrictEqual } from 'node:util'
import { campaignsOf } from '../../campaigns.ts'
import { installPackages } from '../../install.ts'
import { rounded } from '../../measure.ts'
import { printer } from '../../output.ts'
import { SMOKE } from '../../reach/main.ts'
import { COMPILER, REACH, REACH_FOLDER, type ReachSubject } from '../../subjects/catalogue.ts'
import type { FilteredOptions } from '../../suite.ts'

/** Their results are functions of the seed, in a process that has the time it needs. */
const isMeasured = ({ needsServer, allowedAddons }: ReachSubject) => !needsServer && allowedAddons === undefined

export async function run({ smoke, json, only = '' }: FilteredOptions): Promise<void> {
  const runs = smoke ? 60 : 500
  if (!smoke) installPackages(REACH_FOLDER)
  const say = printer(json)
  for (const subject of [...REACH.filter(isMeasured), COMPILER]) {
    if (!subject.name.includes(only) || (smoke && !SMOKE.includes(subject.name))) continue
    const shared = await campaignsOf({ file: subject.file, freshModules: false, runs })
    const fresh = await campaignsOf({ file: subject.file, freshModules: true, runs })
    const isSame = isDeepStrictEqual(shared.results, fresh.results)
    if (!isSame) process.exitCode = 1
    const row = {
      suite: 'programs',
      subject: subject.name,
      executions: shared.executions,
      perSecond: rounded((1000 * shared.executions) / shared.ms, 1),
      freshPerSecond: rounded((1000 * fresh.executions) / fresh.ms, 1),
      ratio: rounded(fresh.ms / shared.ms),
      isSame,
    }
    const { executions, perSecond, freshPerSecond, ratio } = row
    say(
      row,
      `${subject.name}: ${perSecond} executions a second of ${executions}, ${freshPerSecond} with fresh modules: ${ratio}${isSame ? '' : '; THE RESULTS DIFFER'}`,
    )
  }
}
