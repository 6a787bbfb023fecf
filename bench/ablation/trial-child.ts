/** The process of a system: runs the trials sent to it, one after the other. */
import { runTrial, type TrialOptions } from './trial.ts'

process.on('message', (options: TrialOptions) => process.send!(runTrial(options)))
