/**
 * Puts the data of a server back, by what has been written.
 *
 * InnoDB counts the changes of each table, whatever made them: statements, triggers, procedures. Tables whose count has
 * changed are emptied and filled again from a copy; so they also lose rows that are deleted but not yet purged, which
 * would lock gaps. Where something was defined, the server is started anew with what it had at first.
 */
import type { Backend } from './backend.ts'

/** Words of statements that change more than rows. */
const DEFINING =
  /\b(?:create|alter|drop|rename|grant|revoke|analyze|optimize|repair|install|uninstall|global|persist|reset|flush|load|purge|xa)\b/i

const COPIES = 'norn_copies'
const OF_USERS = `not in ('mysql', 'sys', 'information_schema', 'performance_schema', '${COPIES}')`

interface Table {
  /** Qualified, as SQL has it. */
  readonly name: string
  readonly columns: string
  readonly copy: string
  /** As InnoDB calls it; undefined if its changes are not counted. */
  readonly key: string | undefined
  /** To fill it again would set them off. */
  readonly hasTriggers: boolean
}

interface Sequence {
  readonly name: string
  readonly next: string
}

/** How a table stands: its number, what was changed in it, what it counts. */
interface Counted {
  readonly changes: string
  readonly increment: string
}

export class Restoring {
  readonly #control: Backend
  #tables: readonly Table[] = []
  #sequences: readonly Sequence[] = []
  #counted = new Map<string, Counted>()
  #hasDefined = false
  /** Whether what is stored in the server may define something. */
  #definesItself = false

  private constructor(control: Backend) {
    this.#control = control
  }

  /** Takes a copy of what a server holds. */
  static async of(control: Backend): Promise<Restoring> {
    const restoring = new Restoring(control)
    await restoring.#keep()
    return restoring
  }

  /** A client sends a statement. */
  sees(sql: string): void {
    this.#hasDefined ||= DEFINING.test(sql)
  }

  /** Puts everything back. Returns false if the server has to be started anew. */
  async restore(): Promise<boolean> {
    if (this.#hasDefined || this.#definesItself) return false
    const before = this.#counted
    const now = await this.#count()
    if (now.size !== before.size || [...now.keys()].some((key) => !before.has(key))) return false
    const changed = this.#tables.filter(
      ({ key }) => key === undefined || now.get(key)?.changes !== before.get(key)!.changes,
    )
    if (changed.some(({ hasTriggers }) => hasTriggers)) return false
    await this.#refill(changed, before)
    return true
  }

  async #refill(tables: readonly Table[], before: ReadonlyMap<string, Counted>): Promise<void> {
    for (const { name, next } of this.#sequences) await this.#control.run(`alter sequence ${name} restart ${next}`)
    for (const { name, columns, copy } of tables)
      await this.#control.run(`truncate ${name}`, `insert into ${name} (${columns}) select ${columns} from ${copy}`)
    if (tables.length === 0) return
    const filled = await this.#count()
    const others = tables.filter(
      ({ key }) => key !== undefined && before.get(key)!.increment !== filled.get(key)!.increment,
    )
    for (const { name, key } of others)
      await this.#control.run(`alter table ${name} auto_increment = ${before.get(key!)!.increment}`)
    this.#counted = others.length === 0 ? filled : await this.#count()
  }

  async #count(): Promise<Map<string, Counted>> {
    const counted = new Map<string, Counted>()
    for (const [key, id, changes, increment] of await this.#control.rows(COUNTS)) {
      // Partitions of a table count as one.
      const [table] = key!.split(/#p#/i) as [string]
      const other = counted.get(table)
      counted.set(table, { changes: `${other?.changes ?? ''} ${id} ${changes} ${increment}`, increment: increment! })
    }
    return counted
  }

  async #keep(): Promise<void> {
    const control = this.#control
    await control.run("set foreign_key_checks = 0, unique_checks = 0, sql_mode = 'NO_AUTO_VALUE_ON_ZERO'")
    await control.run(`create database ${COPIES}`)
    const tables: Table[] = []
    for (const [schema, table, engine, triggers, columns] of await control.rows(TABLES)) {
      const source = `${name(schema!)}.${name(table!)}`
      const copy = `${COPIES}.${name(`${tables.length}`)}`
      await control.run(
        `create table ${copy} like ${source}`,
        `insert into ${copy} (${columns}) select ${columns} from ${source}`,
      )
      const isCounted = engine === 'InnoDB' && /^\w+$/.test(schema!) && /^\w+$/.test(table!)
      const key = isCounted ? `${schema}/${table}` : undefined
      tables.push({ name: source, columns: columns!, copy, key, hasTriggers: triggers !== '0' })
    }
    this.#tables = tables
    const sequences: Sequence[] = []
    for (const [schema, sequence] of await control.rows(SEQUENCES)) {
      const qualified = `${name(schema!)}.${name(sequence!)}`
      const [[next] = []] = await control.rows(`select next_not_cached_value from ${qualified}`)
      sequences.push({ name: qualified, next: next! })
    }
    this.#sequences = sequences
    for (const [body] of await control.rows(STORED)) this.#definesItself ||= DEFINING.test(body!)
    // The first execution finds what later ones find: tables that norn has filled.
    this.#counted = await this.#count()
    await this.#refill(
      tables.filter(({ hasTriggers }) => !hasTriggers),
      this.#counted,
    )
  }
}

const name = (text: string) => `\`${text.replaceAll('`', '``')}\``

const TABLES = `select t.table_schema, t.table_name, t.engine,
  (select count(*) from information_schema.triggers g
    where g.event_object_schema = t.table_schema and g.event_object_table = t.table_name),
  (select group_concat(concat('\`', replace(column_name, '\`', '\`\`'), '\`') order by ordinal_position)
    from information_schema.columns c
    where c.table_schema = t.table_schema and c.table_name = t.table_name and c.is_generated = 'NEVER')
  from information_schema.tables t where t.table_type = 'BASE TABLE' and t.table_schema ${OF_USERS}
  order by t.table_schema, t.table_name`

const SEQUENCES = `select table_schema, table_name from information_schema.tables
  where table_type = 'SEQUENCE' and table_schema ${OF_USERS}`

const STORED = `select routine_definition from information_schema.routines where routine_schema ${OF_USERS}
  union select action_statement from information_schema.triggers where trigger_schema ${OF_USERS}`

const COUNTS = `select name, table_id, modified_counter, autoinc from information_schema.innodb_sys_tablestats
  where name not like 'mysql/%' and name not like '${COPIES}/%' order by name`
