/** A process of the pool: runs the trials that it is sent, one after the other, until its channel is closed. */
import { runTrial, type TrialOptions } from './trial.ts'

process.on('message', (options: TrialOptions) => process.send!(runTrial(options)))
