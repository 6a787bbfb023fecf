/**
 * The strategies. A strategy is a file of its own and an entry here: the option with its help, the
 * portfolio, executions and the searches of clusters follow from it.
 */
import { natural } from './natural.ts'
import { pct } from './pct.ts'
import { random } from './random.ts'
import type { Strategy } from './strategy.ts'

/** In the order of the help. The portfolio begins with the first. */
export const STRATEGIES: readonly [Strategy, ...Strategy[]] = [natural, random, pct()]
