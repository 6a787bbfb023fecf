/** The flags of commands, from tables of options. */
import { type Command, Option as Flag, InvalidArgumentError } from 'commander'
import { type Kind, toggle } from '../options/kinds.ts'
import { flag, initialOf, type Named, type Option, type OptionTable, rowsOf } from '../options/option.ts'
import { OPTIONS, type SearchFlags } from '../options/table.ts'

/** The options of all commands that run code of the project. */
export const RUNNING = rowsOf(OPTIONS, ({ takenBy }) => takenBy === 'every command')

/** The option of commands that print one result. */
export const ONE_LINE = {
  json: flag(toggle, '--json', 'print one JSON line', { default: 'text' }),
} satisfies OptionTable

export type OneLineFlags = Named<typeof ONE_LINE>

/** Adds the flags of options to a command; their values get the names of the options. */
export function addFlags(command: Command, ...tables: readonly OptionTable[]): Command {
  for (const [name, option] of tables.flatMap((table) => Object.entries(table))) {
    const { flag, negated } = option
    if (flag === undefined) continue
    command.addOption(flagOf(name, flag, helpOf(option), option))
    if (negated !== undefined) command.addOption(flagOf(name, flag.replace('--', '--no-'), negated, option))
  }
  return command
}

function helpOf({ help, kind, fallback }: Option): string {
  return `${help}${kind.texts ? ' (may be repeated)' : ''}${fallback === undefined ? '' : `; ${fallback} by default`}`
}

function flagOf(name: string, flags: string, help: string, option: Option): Flag {
  const { kind } = option
  const initial = initialOf(option)
  const flag = new Flag(flags, help)
  flag.attributeName = () => name
  // What adds up is shown as a list, whatever holds it.
  if (initial !== undefined) flag.default(initial, kind.texts && '[]')
  const hasValue = flag.required || flag.optional
  if (hasValue && kind.parse !== undefined) flag.argParser((text, before) => parsed(kind, text, before))
  return flag
}

function parsed(kind: Kind<unknown>, text: string, before: unknown): unknown {
  try {
    return kind.parse!(text, kind.texts && before)
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`)
  }
}

/** The flags of a call that a command repeats that norn prints. */
export function repeatedFlags(flags: SearchFlags, by: 'search' | 'replay'): readonly string[] {
  const rows = rowsOf(OPTIONS, ({ repeatedBy = '' }) => repeatedBy.includes(by))
  return Object.entries(rows).flatMap(([name, { flag = '', kind }]) => {
    const value = flags[name as keyof SearchFlags]
    const [long = ''] = flag.split(' ')
    if (value === undefined) return []
    if (kind.texts !== undefined) return kind.texts(value).flatMap((text) => [long, text])
    const text = kind.repeated?.(value)
    if (text !== undefined) return [long, text]
    return value === true ? [long] : []
  })
}
