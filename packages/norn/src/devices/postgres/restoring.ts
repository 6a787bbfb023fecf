/**
 * Puts the data of a database back, by what has been written.
 *
 * The server's own log of changes (WAL) names each relation that an execution wrote, whatever wrote it: statements,
 * triggers, functions. Tables among them are emptied and filled again from a copy, in the order of rows that they had;
 * sequences are set back. Where the catalog was written, or the log cannot be read, the database is made anew from its
 * template. Rows lie as they lay, so a program that reads without ORDER BY sees them in the same order.
 */
import { type Connection, Refusal } from './connection.ts'
import { literal, name } from './quoting.ts'

/** Tables larger than this are not kept as a copy. */
const MAX_COPY_BYTES = 16 * 1024 * 1024
/** Truncating leaves dead rows in the catalog: how often they are removed. */
const TIDY_EVERY = 500
/** Ids below this are of the system. */
const FIRST_OF_USERS = 16_384
/** pg_class and its indexes, which emptying a table writes too. */
const PG_CLASS = new Set(['1259', '2662', '2663', '3455'])

interface Table {
  /** Qualified, as SQL has it. */
  readonly name: string
  readonly columns: string
  readonly isUnlogged: boolean
  readonly refersTo: readonly string[]
  readonly data: Buffer
}

interface Sequence {
  readonly name: string
  readonly last: string
  readonly isCalled: string
}

export class Restoring {
  readonly #control: Connection
  /** Knows the log of the whole server. */
  readonly #log: Connection | undefined
  readonly #database: string
  #tables = new Map<string, Table>()
  #sequences = new Map<string, Sequence>()
  /** The tables and sequences that relations are parts of. */
  #parts = new Map<string, string>()
  /** What the names of files on disk belong to. */
  readonly #owners = new Map<string, string>()
  #catalog = ''
  #since = ''
  #count = 0

  private constructor(control: Connection, log: Connection | undefined, database: string) {
    this.#control = control
    this.#log = log
    this.#database = database
  }

  /**
   * Takes a copy of a database that nobody has written to yet.
   *
   * @param log a connection to any database of the server that can read the log; undefined if the user may not
   */
  static async of(control: Connection, log: Connection | undefined): Promise<Restoring> {
    const [[database]] = (await control.rows('select oid from pg_database where datname = current_database()')) as [
      [string],
    ]
    const restoring = new Restoring(control, log, database)
    await (log === undefined ? restoring.#mark() : restoring.#keep())
    return restoring
  }

  /** Whether a log connection can read the log of changes: of PostgreSQL 15, and by a superuser. */
  static async canRead(log: Connection): Promise<boolean> {
    try {
      await log.rows('create extension if not exists pg_walinspect', `select ${EMIT}`)
      return true
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  }

  /** Puts everything back. Returns false if the database has to be made anew. */
  async restore(): Promise<boolean> {
    if (this.#log === undefined) {
      const [[now]] = (await this.#control.rows(NOW)) as [[string]]
      return now === this.#since
    }
    const written = await this.#written()
    const files = written.filter((file) => !PG_CLASS.has(file))
    const unlogged = [...this.#tables].flatMap(([oid, { isUnlogged }]) => (isUnlogged ? [oid] : []))
    let owners = [...files.map((file) => this.#owners.get(file)), ...unlogged]
    if (written.length > files.length || owners.includes(undefined)) {
      const before = new Map(this.#owners)
      const catalog = this.#catalog
      // Relations that only have other files were emptied.
      if (files.some((file) => !before.has(file) && this.#isCatalog(file))) return false
      await this.#readOwners()
      if (this.#catalog !== catalog) return false
      const moved = [...this.#owners].flatMap(([file, owner]) => (before.has(file) ? [] : [owner]))
      owners = [...owners.filter((each) => each !== undefined), ...moved]
    }
    const named = new Set(owners as string[])
    if ([...named].some((owner) => !this.#tables.has(owner) && !this.#sequences.has(owner))) return false
    await this.#refill(named)
    return true
  }

  #isCatalog(file: string): boolean {
    return Number(file) < FIRST_OF_USERS
  }

  async #written(): Promise<string[]> {
    const changes = `pg_get_wal_records_info_till_end_of_wal(${literal(this.#since)}) r`
    const blocks = `regexp_matches(r.block_ref, 'rel \\d+/${this.#database}/(\\d+)', 'g') m`
    // Who reads the catalog may take dead rows out of it, such as those of a function that a migration has replaced.
    const isChange = `(m[1]::bigint >= ${FIRST_OF_USERS} or r.record_type !~ '^PRUNE')`
    // The message makes the server write its log out.
    const select = `select distinct m[1] from ${changes}, ${blocks} where ${isChange}`
    const rows = await this.#log!.rows(`select ${EMIT}`, select)
    return rows.slice(1).map(([file]) => file!)
  }

  async #mark(): Promise<void> {
    const [[now]] = (await this.#control.rows(NOW)) as [[string]]
    this.#since = now
  }

  async #refill(named: ReadonlySet<string>): Promise<void> {
    if (named.size === 0) return this.#mark()
    const all = this.#withReferring(named)
    const tables = [...all].flatMap((oid) => this.#tables.get(oid) ?? [])
    const sequences = [...named].flatMap((oid) => this.#sequences.get(oid) ?? [])
    const emptied = tables.length === 0 ? [] : [`truncate ${tables.map((table) => table.name).join(', ')}`]
    const filled = tables.flatMap(({ name, columns, data }) =>
      data.length === 0 ? [] : [{ copy: `copy ${name} (${columns}) from stdin`, data }],
    )
    const set = sequences.map(
      ({ name, last, isCalled }) => `select setval(${literal(name)}, ${last}, ${isCalled === 't'})`,
    )
    const rows = await this.#control.rows(
      ['begin', 'set local session_replication_role = replica', ...emptied].join('; '),
      ...filled,
      [...set, 'commit'].join('; '),
      ...(++this.#count % TIDY_EVERY === 0 ? ['vacuum pg_class'] : []),
      FILES,
      NOW,
    )
    this.#since = rows.pop()![0]!
    this.#readFiles(rows)
  }

  /** Tables that refer to others have to be emptied with them. */
  #withReferring(named: ReadonlySet<string>): ReadonlySet<string> {
    const all = new Set(named)
    for (let size = 0; size < all.size; ) {
      size = all.size
      for (const [oid, { refersTo }] of this.#tables) if (refersTo.some((other) => all.has(other))) all.add(oid)
    }
    return all
  }

  async #keep(): Promise<void> {
    for (const [oid, space, table, persistence, size, refersTo, columns] of await this.#control.rows(TABLES)) {
      const qualified = `${name(space!)}.${name(table!)}`
      if (Number(size) > MAX_COPY_BYTES) continue
      this.#tables.set(oid!, {
        name: qualified,
        columns: columns!,
        isUnlogged: persistence === 'u',
        refersTo: refersTo === '' ? [] : refersTo!.split(','),
        data: columns === '' ? Buffer.alloc(0) : await this.#control.copied(`copy ${qualified} (${columns}) to stdout`),
      })
    }
    for (const [oid, space, sequence] of await this.#control.rows(SEQUENCES)) {
      const qualified = `${name(space!)}.${name(sequence!)}`
      const [[last, isCalled]] = (await this.#control.rows(`select last_value, is_called from ${qualified}`)) as [
        [string, string],
      ]
      this.#sequences.set(oid!, { name: qualified, last, isCalled })
    }
    // The first execution finds what later ones find: files that norn has filled, and sequences that it has set.
    // One that was not set may give 32 numbers before it writes to the log.
    await this.#readOwners()
    await this.#refill(new Set([...this.#tables.keys(), ...this.#sequences.keys()]))
  }

  async #readOwners(): Promise<void> {
    this.#parts = new Map((await this.#control.rows(PARTS)) as [string, string][])
    const rows = await this.#control.rows(FILES, CATALOG)
    this.#catalog = rows.pop()!.join()
    this.#readFiles(rows)
  }

  /** @param rows those of FILES have two values, others one */
  #readFiles(rows: readonly (readonly string[])[]): void {
    this.#owners.clear()
    for (const [file, relation] of rows)
      if (relation !== undefined) this.#owners.set(file!, this.#parts.get(relation) ?? relation)
  }
}

/** Where the log ends. */
const NOW = 'select pg_current_wal_insert_lsn()'

const EMIT = "pg_logical_emit_message(true, 'norn', '')"

const OF_USERS = "n.nspname <> 'information_schema' and n.nspname !~ '^pg_'"

const TABLES = `select c.oid, n.nspname, c.relname, c.relpersistence, pg_relation_size(c.oid),
  (select string_agg(distinct confrelid::text, ',') from pg_constraint where conrelid = c.oid and contype = 'f'),
  (select string_agg(quote_ident(attname), ',' order by attnum) from pg_attribute
    where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '')
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and ${OF_USERS}`

const SEQUENCES = `select c.oid, n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'S' and ${OF_USERS}`

/** A table's indexes, and what is stored apart, are its own. To read this takes longer than to put a table back. */
const PARTS = `select c.oid, coalesce(i.indrelid, t.oid, c.oid)
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  left join pg_index toastindex on toastindex.indexrelid = c.oid and n.nspname = 'pg_toast'
  left join pg_class t on n.nspname = 'pg_toast' and t.reltoastrelid = coalesce(toastindex.indrelid, c.oid)
  left join pg_index i on i.indexrelid = c.oid and n.nspname <> 'pg_toast'
  where c.oid >= 16384 and c.relfilenode <> 0`

/** The files of relations, other than those of the system. */
const FILES = 'select relfilenode, oid from pg_class where oid >= 16384 and relfilenode <> 0'

/** What of pg_class says that something was defined, not only emptied or filled. */
const CATALOG = `select md5(string_agg(concat_ws(' ', oid, relname, relnamespace, relowner, relkind, relpersistence,
  relnatts, relchecks, relhasrules, relhastriggers, relrowsecurity, relispartition, reloptions, relacl), ',' order by oid))
  from pg_class where oid >= 16384`
