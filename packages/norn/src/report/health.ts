/** Health checks, and tests that are not run, as a person reads them: a line each. */

import type { ListedProperty } from '../process/protocol.ts'
import type { HealthWarning } from '../search/events.ts'
import { printableLine } from './printable.ts'
import type { Style } from './style.ts'

export function healthText(property: string, warnings: readonly HealthWarning[], style: Style): string {
  const name = style.bold(printableLine(property))
  return warnings
    .map(
      ({ message, informative }) =>
        `${informative ? style.dim('i') : style.late('!')} ${name}: ${printableLine(message)}`,
    )
    .join('\n')
}

/** More than this many are counted, not named. */
const MAX_NAMED = 10

/** What of a test file is left to its test runner, and why. */
export function notRunText(tests: readonly Pick<ListedProperty, 'name' | 'notRun'>[]): string {
  const shown = tests.slice(0, MAX_NAMED)
  const more = tests.length - shown.length
  return [
    `${tests.length} ${tests.length === 1 ? 'test is' : 'tests are'} left to the test runner`,
    ...shown.map(({ name, notRun }) => `  ${printableLine(name)}: ${printableLine(notRun ?? '')}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join('\n')
}
