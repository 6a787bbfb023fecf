/** The suite about the checkers of norn-history: are their verdicts right, and how fast are they? */
import { count, defineParts, ONLY, text } from '../suite.ts'

export const suite = defineParts({
  summary: 'norn-history: verdicts against brute force and known ones, speed against Porcupine',
  options: {
    only: ONLY,
    histories: count(
      'histories',
      'agreement: of each model (default: 20000, with --smoke 300); isolation: of each kind (1000, with --smoke 30)',
    ),
    data: text('data', 'DIR', 'verdicts, speed and porcupine: a folder of the histories of Porcupine'),
    porcupine: text('porcupine', 'DIR', 'porcupine: a checkout of anishathalye/porcupine; needs go (default: skipped)'),
  },
  parts: {
    agreement: {
      summary: 'small random histories, with the verdicts of brute force; exits with 1 on a disagreement',
      load: () => import('./agreement.ts'),
    },
    isolation: {
      summary: 'transactions with planted anomalies, at a level, and at random; exits with 1 on a wrong verdict',
      load: () => import('./isolation.ts'),
    },
    verdicts: {
      summary: 'histories with known verdicts; exits with 1 on a wrong one',
      load: () => import('./verdicts.ts'),
    },
    speed: {
      summary: 'time of the shared histories, and of generated ones of up to 1,000,000 operations',
      load: () => import('./speed.ts'),
    },
    porcupine: {
      summary: 'time of each shared history, in the same run as Porcupine',
      load: () => import('./porcupine.ts'),
    },
  },
})
