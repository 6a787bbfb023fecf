/** Validates the option `commands` of a property. */

import { shown } from '../options/refusal.ts'
import type { Commands } from '../world/processes/commands.ts'

const EXAMPLE = "such as { git: (args, stdin) => 'main' }"

/**
 * @param refuse throws an error with the property's name
 * @throws TypeError for a stand-in that is neither a function nor null
 */
export function checkCommands(
  commands: unknown,
  refuse: (why: string) => never,
): asserts commands is Commands | undefined {
  if (commands === undefined) return
  if (typeof commands !== 'object' || commands === null || Array.isArray(commands))
    refuse(`option commands must be an object: ${shown(commands)}. Write an object ${EXAMPLE}`)
  for (const [name, command] of Object.entries(commands as object)) {
    if (command !== null && typeof command !== 'function')
      refuse(
        `option commands['${name}'] must be a function, or null for a program that is not installed: ${shown(command)}`,
      )
  }
}
