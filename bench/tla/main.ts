/**
 * The suite about TLA+: norn's engine against TLC and against the public collection
 * tlaplus/Examples.
 */
import { count, defineParts, ONLY, seconds, text } from '../suite.ts'

export const suite = defineParts({
  summary: 'TLA+: known counts, near misses of its syntax, following a model, speed against TLC',
  options: {
    only: ONLY,
    examples: text('examples', 'DIR', 'a clone of tlaplus/Examples; examples and mutants require it, unless --smoke'),
    tlc: text('tlc', 'JAR', 'speed: tla2tools.jar, to time TLC as well (default: norn alone)'),
    trials: count('trials', 'mutants: mutants to parse (default: 200, with --smoke 30)'),
    timeMs: seconds('time', 'examples: limit of one model (default: 60)'),
  },
  parts: {
    examples: {
      summary: 'models whose number of distinct states is known; every module is parsed',
      load: () => import('./examples/main.ts'),
    },
    mutants: {
      summary: 'modules one token away from correct ones are parsed or refused; exits with 1 otherwise',
      load: () => import('./mutants/main.ts'),
    },
    following: {
      summary: 'steps a second of a specification that follows a run',
      load: () => import('./following/main.ts'),
    },
    speed: { summary: 'distinct states a second, and the whole command', load: () => import('./speed/main.ts') },
  },
})
