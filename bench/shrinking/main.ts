/** The shrinking suite. */
import { defineParts, ONLY } from '../suite.ts'

export const suite = defineParts({
  summary: 'minima of known failures: their size, and how many there are',
  options: { only: ONLY },
  parts: {
    cases: {
      summary: 'cases that are hard to shrink, beside fast-check',
      load: () => import('./beside-fast-check.ts'),
    },
    races: {
      summary: 'races and other failures, from ten seeds each: distinct minima and delayed operations',
      load: () => import('./races.ts'),
    },
  },
})
