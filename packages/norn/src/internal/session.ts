/**
 * `norn/internal/session`: what norn-fleet uses of sessions, of what they save and of the command line.
 *
 * @internal no promise to anybody else
 */

export { jsonFault } from '#shared/json-fault'
export { print } from '#shared/print'
export { statusLine } from '#shared/status-line'
export { type ExitStatus, STATUS } from '../cli/exit-status.ts'
export type { FleetActions } from '../cli/fleet/actions.ts'
export type {
  FleetDrainFlags,
  FleetFlags,
  FleetFuzzFlags,
  FleetStatusFlags,
  FleetWorkFlags,
} from '../cli/fleet/options.ts'
export { exitOnSignal, interruption } from '../cli/interruption.ts'
export { replayCommand } from '../cli/replay.ts'
export type { CampaignSummary } from '../contract/campaign-summary.ts'
export { shortHash } from '../contract/fingerprint.ts'
export { describeReason } from '../contract/inconclusive.ts'
export type { SavedFailure } from '../contract/saved-failure.ts'
export { plural } from '../contract/text.ts'
export { type Guide, guideText, parseGuide } from '../options/guide.ts'
export type { RunFlags } from '../options/table.ts'
export type { WorkerOptions } from '../process/worker.ts'
export { printableLine } from '../report/printable.ts'
export { residualRisk } from '../report/residual-risk.ts'
export { terminalStyle } from '../report/style.ts'
export { summaryText } from '../report/summary.ts'
export { addSpecies, countsOf, NO_SPECIES } from '../search/species.ts'
export { currentCommit } from '../session/commit.ts'
export { loadConfiguration } from '../session/configuration.ts'
export { UndecidedError, UsageError } from '../session/errors.ts'
export { FileProcess } from '../session/file-process.ts'
export { exactPlan, savedInputPlan } from '../session/follow.ts'
export { explainOrLose } from '../session/lost-execution.ts'
export { propertyFile } from '../session/named-modules.ts'
export { chooseSearch, processOptions, projectAliases } from '../session/project.ts'
export { propertyFiles } from '../session/property-files.ts'
export { runSession } from '../session/session.ts'
export { addSummaries, NOTHING_RUN } from '../session/summaries.ts'
export { collectTargets, type Target } from '../session/targets.ts'
export { version } from '../session/version.ts'
export { CorpusStore } from '../storage/corpus-store.ts'
export {
  FAILURES_FOLDER,
  FailureFileError,
  failurePath,
  leadsOut,
  readFailure,
} from '../storage/failure-file.ts'
export { namesIn, OWNER, removeLeftovers, writeAtomically } from '../storage/files.ts'
export { mix } from '../tape/chance.ts'
