/**
 * What is declared of an option: one row of a table, from which its flag, its variable, the checks of
 * its values, the help, the reference page and the JSON schema follow.
 */
import type { Kind } from './kinds.ts'

/**
 * The record that holds the value:
 *
 * - `process`: what the processes that run executions are started with (`ProcessOptions`);
 * - `execution`: what each execution runs with; saved with its failure, and replayed with it
 *   (`ExecutionOptions`);
 * - `search`: what the search of a property runs with (`PropertySearchOptions`);
 * - `limit`: the same, of properties and clusters too (`SearchLimits`);
 * - `call`: the command, or the test, alone.
 */
export type Scope = 'process' | 'execution' | 'search' | 'limit' | 'call'

/** A row of the reference page. */
interface Documented {
  /** Markdown; the help unless set. */
  readonly meaning?: string
  readonly default?: string
}

export interface Option<Value = unknown> extends Documented {
  readonly kind: Kind<Value>
  readonly scope: Scope
  /** As the help shows it: `--hang <duration>`. */
  readonly flag?: string
  /** Of the flag. */
  readonly help?: string
  /** The help of the flag `--no-…` beside a flag that says yes. */
  readonly negated?: string
  /** The commands with the flag; unset in a table of one command. */
  readonly takenBy?: 'every command' | 'search' | 'fuzz'
  /** Set if a command that norn prints repeats the flag: one that searches again, or that replays too. */
  readonly repeatedBy?: 'search' | 'search and replay'
  readonly variable?: `NORN_${string}`
  /** Set for an option of configuration files; what their table says in other words. */
  readonly configured?: Partial<Documented>
  /** Set for an option that properties declare for themselves, beside those of scope `limit`. */
  readonly inProperties?: true
  /** Set if the values of all levels count, the nearest last. */
  readonly added?: true
  /** The value if no level names the option. */
  readonly initial?: Value
}

/** Rows by the name of the option, in the order of the help. */
export type OptionTable = Readonly<Record<string, Option>>

interface Flag<Of> {
  readonly kind: Of
  readonly scope: 'call'
  readonly flag: string
  readonly help: string
}

/** An option of one command. */
export function flag<Of extends Kind<unknown>>(kind: Of, flag: string, help: string): Flag<Of>
export function flag<Of extends Kind<unknown>, const More extends Partial<Option>>(
  kind: Of,
  flag: string,
  help: string,
  more: More,
): Flag<Of> & More
export function flag(kind: Kind<unknown>, flag: string, help: string, more?: Partial<Option>): Option {
  return { kind, scope: 'call', flag, help, ...more }
}

type ValueOf<Row> = Row extends { readonly kind: Kind<infer Value> } ? Value : never

/** Values of the options of a table that have a trait. */
export type Named<Table, Trait = unknown> = {
  readonly [Name in keyof Table as Table[Name] extends Trait ? Name : never]?: ValueOf<Table[Name]>
}

/** The same after all levels: none is missing that has an initial value. */
export type Chosen<Table, Trait = unknown> = {
  readonly [Name in keyof Table as Table[Name] extends Trait ? Name : never]:
    | ValueOf<Table[Name]>
    | (Table[Name] extends { readonly initial: unknown } ? never : undefined)
}

/** The rows for which a test holds. */
export function rowsOf(table: OptionTable, test: (row: Option) => boolean): OptionTable {
  return Object.fromEntries(Object.entries(table).filter(([, row]) => test(row)))
}
