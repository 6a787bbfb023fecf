/** A process of its own for each trial: prints nothing, and sends its result. */
import { runTrial, type TrialOptions } from './trial.ts'

process.once('message', (options: TrialOptions) => process.send!(runTrial(options)))
