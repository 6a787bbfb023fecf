/**
 * What a suite declares: its options, its parts, and the function that runs it. The command line,
 * its help and its errors all derive from these declarations (main.ts).
 */
import { parseArgs } from 'node:util'

/** A usage error: main.ts prints the message and exits with status 2. */
export class UsageError extends Error {}

/**
 * One option. The flag carries the user's unit; the parsed value carries the unit in the name of
 * its field.
 */
export interface Option<Value> {
  /** Without the dashes. */
  readonly flag: string
  /** The placeholder of the value in the help: `N`, `SECONDS`, `DIR`. Undefined for a switch. */
  readonly unit: string | undefined
  /** Without a full stop. Names the default, where there is one. */
  readonly help: string
  /** @throws UsageError if the text is invalid */
  parse(text: string): Value
}

/** An option's default is applied by the suite, as it often depends on `--smoke`. */
export type Values<Options extends Readonly<Record<string, Option<unknown>>>> = {
  readonly [Name in keyof Options]: (Options[Name] extends Option<infer Value> ? Value : never) | undefined
}

/** Options of every suite. */
export interface CommonOptions {
  /** Run small, within a minute. */
  readonly smoke: boolean
  /** Print one JSON line a row instead of a table. */
  readonly json: boolean
}

export interface FilteredOptions extends CommonOptions {
  readonly only: string | undefined
}

export interface Suite {
  /** One line for the overview. */
  readonly summary: string
  readonly options: readonly Option<unknown>[]
  /** What each part measures, by name. */
  readonly parts?: Readonly<Record<string, string>>
  /** Names of the positional arguments, all required. */
  readonly positionals?: readonly string[]
  run(args: readonly string[]): Promise<void>
}

type OptionTable = Readonly<Record<string, Option<unknown>>>

interface SuiteDeclaration<Options extends OptionTable> {
  readonly summary: string
  readonly options: Options
  run(options: CommonOptions & Values<Options>): Promise<void>
}

/** Runs one part of a suite. */
type Part<Options> = (options: CommonOptions & Options) => Promise<void>

interface PartedDeclaration<Options extends OptionTable> {
  readonly summary: string
  readonly options: Options
  readonly parts: Readonly<
    Record<
      string,
      {
        readonly summary: string
        /** Options that run this part alone. */
        readonly chosenBy?: readonly (keyof Options)[]
        load(): Promise<{ run: Part<Values<Options>> }>
      }
    >
  >
}

export function defineSuite<const Options extends OptionTable>({
  summary,
  options,
  run,
}: SuiteDeclaration<Options>): Suite {
  return {
    summary,
    options: [...Object.values(options), ...COMMON],
    run: (args) => run(parse(args, options)),
  }
}

/** A suite of several parts; without `--part`, all run in the order of their declaration. */
export function defineParts<const Options extends OptionTable>({
  summary,
  options,
  parts,
}: PartedDeclaration<Options>): Suite {
  const names = Object.keys(parts)
  const part = list('part', `run only these parts (default: ${names.join(',')})`, names)
  return {
    summary,
    parts: Object.fromEntries(names.map((name) => [name, parts[name]!.summary])),
    options: [part, ...Object.values(options), ...COMMON],
    async run(args) {
      const { part: given, ...values } = parse(args, { part, ...options })
      const isChosen = (name: string) =>
        parts[name]!.chosenBy?.some((option) => values[option as keyof typeof values] !== undefined) ?? false
      const chosen = given ?? (names.some(isChosen) ? names.filter(isChosen) : names)
      for (const name of names.filter((each) => (chosen as readonly string[]).includes(each))) {
        const { run } = await parts[name]!.load()
        await run(values as unknown as CommonOptions & Values<Options>)
      }
    },
  }
}

/** @param help ends with the default */
export function count(flag: string, help: string): Option<number> {
  return { flag, unit: 'N', help, parse: (text) => positive(flag, text, Number.isSafeInteger, 'a positive integer') }
}

/** In seconds on the command line (`60` or `60s`), in milliseconds as a value. */
export function seconds(flag: string, help: string): Option<number> {
  const parse = (text: string) =>
    1000 * positive(flag, text.replace(/s$/, ''), Number.isFinite, 'a number of seconds above 0')
  return { flag, unit: 'SECONDS', help, parse }
}

export function text(flag: string, unit: string, help: string): Option<string> {
  return { flag, unit, help, parse: (value) => value }
}

/** Chooses subjects by a part of their names. */
export const ONLY = text('only', 'TEXT', 'only subjects whose name contains TEXT')

/** A number above 0. @param help ends with the default */
export function ratio(flag: string, help: string): Option<number> {
  return { flag, unit: 'RATIO', help, parse: (text) => positive(flag, text, Number.isFinite, 'a number above 0') }
}

/** Names separated by commas. @param choices all valid names */
export function list(flag: string, help: string, choices: readonly string[]): Option<readonly string[]> {
  const parse = (value: string) => {
    const names = value.split(',')
    const unknown = names.find((name) => !choices.includes(name))
    if (unknown === undefined) return names
    throw new UsageError(`--${flag}: unknown name: "${unknown}". Choose from ${choices.join(', ')}`)
  }
  return { flag, unit: 'NAMES', help, parse }
}

export function flag(name: string, help: string): Option<boolean> {
  return { flag: name, unit: undefined, help, parse: () => true }
}

const COMMON = [flag('smoke', 'run small, within a minute'), flag('json', 'print one JSON line a row')]

function positive(flag: string, value: string, isValid: (value: number) => boolean, wanted: string): number {
  const parsed = Number(value)
  if (parsed > 0 && isValid(parsed)) return parsed
  throw new UsageError(`--${flag} must be ${wanted}: "${value}"`)
}

/**
 * @param args the arguments after the name of the suite
 * @throws UsageError for an unknown option, a missing or wrong value, and a positional argument
 */
export function parse<const Options extends OptionTable>(
  args: readonly string[],
  options: Options,
): CommonOptions & Values<Options> {
  const all: readonly Option<unknown>[] = [...Object.values(options), ...COMMON]
  const types = all.map(({ flag, unit }) => [flag, { type: unit === undefined ? 'boolean' : 'string' }] as const)
  let values: Readonly<Record<string, string | boolean | undefined>>
  try {
    values = parseArgs({ args: [...args], options: Object.fromEntries(types) }).values
  } catch (error) {
    throw new UsageError((error as Error).message.split('. ')[0]!)
  }
  const parsed = ({ flag, parse }: Option<unknown>) => {
    const value = values[flag]
    return typeof value === 'string' ? parse(value) : value
  }
  const entries = Object.entries(options).map(([name, option]) => [name, parsed(option)])
  return { ...Object.fromEntries(entries), smoke: values.smoke === true, json: values.json === true }
}

/** The help of one suite. */
export function helpOf(name: string, { summary, options, parts, positionals = [] }: Suite): string {
  const usage = ['npm run bench --', name, ...positionals, ...(options.length === 0 ? [] : ['[OPTIONS]'])].join(' ')
  const flags = options.map(
    ({ flag, unit, help }) => [`--${flag}${unit === undefined ? '' : ` ${unit}`}`, help] as const,
  )
  const sections = [`${summary}\n\nusage: ${usage}`]
  if (parts !== undefined) sections.push(`parts:\n${columns(Object.entries(parts))}`)
  if (flags.length > 0) sections.push(`options:\n${columns(flags)}`)
  return sections.join('\n\n')
}

/** Two columns, indented. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}
