/**
 * What is declared of an option: one row of a table, from which its flag, its variable, the checks of
 * its values, the help, the reference page and the JSON schema follow.
 */
import type { Kind } from './kinds.ts'

/**
 * The record that holds the value; unset where only the command uses it.
 *
 * - `process`: what the processes that run executions are started with (`ProcessOptions`);
 * - `execution`: what each execution runs with; saved with its failure, and replayed with it
 *   (`ExecutionOptions`);
 * - `search`: what the search of a property runs with (`PropertySearchOptions`);
 * - `limit`: the same, of properties and clusters too (`SearchLimits`).
 */
export type Scope = 'process' | 'execution' | 'search' | 'limit'

export interface Option<Value = unknown> {
  readonly kind: Kind<Value>
  readonly scope?: Scope
  /** As the help shows it: `--hang <duration>`. */
  readonly flag?: string
  readonly help?: string
  /** The help of the flag `--no-…` beside one that says yes. */
  readonly negated?: string
  /** Unset: by commands that search, or by the one command of the table. */
  readonly takenBy?: 'every command' | 'fuzz'
  /** Set if a command that norn prints repeats the flag: one that searches again, or that replays too. */
  readonly repeatedBy?: 'search' | 'search and replay'
  readonly variable?: `NORN_${string}`
  /** Set for an option of configuration files: its meaning there, where it differs. */
  readonly configured?: true | string
  /** Set for an option that properties declare for themselves, beside those of scope `limit`. */
  readonly inProperties?: true
  /** Set if the values of all levels count, the nearest last. */
  readonly added?: true
  /** The value if no level names the option; that of its kind unless set. */
  readonly initial?: Value
  /** What stands in for a value that no level names, in the help. */
  readonly fallback?: string
  /** What the reference page says in place of the help and the fallback, in Markdown. */
  readonly meaning?: string
  readonly default?: string
}

/** Rows by the name of the option, in the order of the help. */
export type OptionTable = Readonly<Record<string, Option>>

/** An option of one command. */
export function flag<Of extends Kind<unknown>>(
  kind: Of,
  flag: string,
  help: string,
): { readonly kind: Of; readonly flag: string; readonly help: string }
export function flag<Of extends Kind<unknown>, const More extends Partial<Option>>(
  kind: Of,
  flag: string,
  help: string,
  more: More,
): { readonly kind: Of; readonly flag: string; readonly help: string } & More
export function flag(kind: Kind<unknown>, flag: string, help: string, more?: Partial<Option>): Option {
  return { kind, flag, help, ...more }
}

type ValueOf<Row> = Row extends { readonly kind: Kind<infer Value> } ? Value : never

type HasInitial = { readonly initial: unknown } | { readonly kind: { readonly initial: unknown } }

/** Values of the options of a table that have a trait. */
export type Named<Table, Trait = unknown> = {
  readonly [Name in keyof Table as Table[Name] extends Trait ? Name : never]?: ValueOf<Table[Name]>
}

/** The same after all levels: none is missing that has an initial value. */
export type Chosen<Table, Trait = unknown> = {
  readonly [Name in keyof Table as Table[Name] extends Trait ? Name : never]:
    | ValueOf<Table[Name]>
    | (Table[Name] extends HasInitial ? never : undefined)
}

export function initialOf({ initial, kind }: Option): unknown {
  return initial ?? kind.initial
}

/** The rows for which a test holds. */
export function rowsOf(table: OptionTable, test: (row: Option) => boolean): OptionTable {
  return Object.fromEntries(Object.entries(table).filter(([, row]) => test(row)))
}

/** A table with more rows before one of its own. */
export function withRows(table: OptionTable, before: string, more: OptionTable): OptionTable {
  const rows = Object.entries(table)
  const at = rows.findIndex(([name]) => name === before)
  return Object.fromEntries(rows.toSpliced(at, 0, ...Object.entries(more)))
}
