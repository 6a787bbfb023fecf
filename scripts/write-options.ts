/**
 * Writes the tables of options of docs/reference.md from the tables in the source: what stands between
 * `<!-- options: NAME -->` and `<!-- end of options -->`. A test compares the page with this output.
 *
 *     node -C norn-source scripts/write-options.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { FUZZ_OPTIONS, SEARCH_OPTIONS } from '../packages/norn/src/cli/commands.ts'
import { ONE_LINE, RUNNING } from '../packages/norn/src/cli/flags.ts'
import { FLAKY_OPTIONS } from '../packages/norn/src/cli/flaky.ts'
import { FUZZ, QUEUE, WORK } from '../packages/norn/src/cli/fleet/options.ts'
import { PROPOSE_OPTIONS } from '../packages/norn/src/cli/frames.ts'
import { PROTOCOL_OPTIONS } from '../packages/norn/src/cli/protocol.ts'
import { REPLAY_OPTIONS } from '../packages/norn/src/cli/replay.ts'
import { REPORT_OPTIONS } from '../packages/norn/src/cli/report.ts'
import { SHRINK_OPTIONS } from '../packages/norn/src/cli/shrink.ts'
import { UI_OPTIONS } from '../packages/norn/src/cli/ui/ui.ts'
import { initialOf, type Option, type OptionTable, rowsOf } from '../packages/norn/src/options/option.ts'
import { OPTIONS } from '../packages/norn/src/options/table.ts'

export const PAGE = fileURLToPath(new URL('../docs/reference.md', import.meta.url))

const TABLES: Readonly<Record<string, () => string>> = {
  fuzz: () => commandTable(FUZZ_OPTIONS),
  flaky: () => commandTable(FLAKY_OPTIONS, RUNNING),
  ui: () => commandTable(UI_OPTIONS, SEARCH_OPTIONS),
  configuration: () => configurationTable(OPTIONS),
  replay: () => commandTable({ ...REPLAY_OPTIONS, ...ONE_LINE }, RUNNING),
  report: () => commandTable({ ...REPORT_OPTIONS, ...ONE_LINE }, RUNNING),
  shrink: () => commandTable({ ...SHRINK_OPTIONS, ...ONE_LINE }, RUNNING),
  'protocol check': () => commandTable(PROTOCOL_OPTIONS),
  'frames propose': () => commandTable(PROPOSE_OPTIONS, RUNNING),
  'fleet work': () => commandTable({ ...QUEUE, ...WORK }, RUNNING),
  'fleet fuzz': () => commandTable({ ...QUEUE, ...FUZZ }, RUNNING),
}

/** A text with its tables written anew. */
export function withTables(text: string): string {
  return text.replaceAll(
    /(<!-- options: ([\w ]+) -->\n)[\s\S]*?(?=<!-- end of options -->)/g,
    (_, opening: string, name: string) => `${opening}\n${TABLES[name]!()}\n\n`,
  )
}

/** @param shared options that the command has in common with `norn fuzz` */
export function commandTable(own: OptionTable, shared: OptionTable = {}): string {
  const flags = rowsOf(own, ({ flag }) => flag !== undefined)
  const rows = Object.values(flags).map((row) => [flagsOf(row), meaningOf(row), defaultOf(row)])
  const same = Object.values(shared).map(flagsOf).join(', ')
  const all = same === '' ? rows : [...rows, [same, 'as in `norn fuzz`', '']]
  return markdown(['option', 'meaning', 'default'], all)
}

/** The options of configuration files, and where else they can be set. */
export function configurationTable(table: OptionTable): string {
  const rows = Object.entries(rowsOf(table, ({ configured }) => configured !== undefined)).map(([name, row]) => [
    `\`${name}\``,
    row.configured === true ? (row.meaning ?? row.help!) : row.configured!,
    row.flag === undefined ? '' : flagsOf({ ...row, flag: row.flag.split(' ', 1)[0]! }),
    row.variable === undefined ? '' : `\`${row.variable}\``,
    row.scope === 'limit' || row.inProperties ? 'yes' : '',
    defaultOf(row),
  ])
  return markdown(['option', 'meaning', 'flag', 'variable', 'in a property', 'default'], rows)
}

/** `--hang DURATION`, or a flag and the one that says no. */
function flagsOf({ flag, negated }: Option): string {
  const shown = flag!.replaceAll(/<(.*?)>/g, (_, name: string) => name.toUpperCase())
  const all = negated === undefined ? [shown] : [shown, shown.replace('--', '--no-')]
  return all.map((each) => `\`${each.replace(/\[(.*)\]/, (name) => name.toUpperCase())}\``).join(', ')
}

function meaningOf({ meaning, help, kind }: Option): string {
  return `${meaning ?? help}${kind.texts === undefined ? '' : '; may be repeated'}`
}

function defaultOf(row: Option): string {
  const initial = initialOf(row)
  if (row.default !== undefined || row.fallback !== undefined) return row.default ?? row.fallback!
  if (row.kind.texts !== undefined) return 'none'
  return typeof initial === 'string' || typeof initial === 'number' ? `\`${initial}\`` : ''
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |').replaceAll('|  |', '| |')
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

if (import.meta.main === true || process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(PAGE, withTables(readFileSync(PAGE, 'utf8')))
