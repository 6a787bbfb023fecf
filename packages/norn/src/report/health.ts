/** Health checks, and tests that norn does not run, in a line each. */

import type { HealthWarning } from '../contract/events.ts'
import { plural } from '../contract/text.ts'
import type { ListedProperty } from '../process/protocol.ts'
import { printableLine } from './printable.ts'
import type { Style } from './style.ts'

export function healthText(property: string, warnings: readonly HealthWarning[], style: Style): string {
  const name = style.bold(printableLine(property))
  return warnings
    .map(
      ({ message, informative }) =>
        `${informative ? style.dim('i') : style.warning('!')} ${name}: ${printableLine(message)}`,
    )
    .join('\n')
}

/** Tests that are named; of more, the number. */
const MAX_NAMED = 10

/** The tests of a file that norn leaves to the test runner, with the reasons. */
export function notRunText(tests: readonly Pick<ListedProperty, 'name' | 'notRun'>[]): string {
  const shown = tests.slice(0, MAX_NAMED)
  const more = tests.length - shown.length
  return [
    `${plural(tests.length, 'test')} not run as properties: \`norn flaky\` runs tests as they are, and finds flaky ones`,
    ...shown.map(({ name, notRun }) => `  ${printableLine(name)}: ${printableLine(notRun ?? '')}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join('\n')
}
