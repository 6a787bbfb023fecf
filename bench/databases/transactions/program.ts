/** Programs whose transactions are correct: what their sessions do, and what guards it. Plain data. */

/** How sessions keep each other from what they have read. */
export const POSTGRES_GUARDS = {
  serializable: ['serializable', 'serializable, audits deferrable', 'repeatable read'],
  'row locks': [
    'for update',
    'for update one by one',
    'for update in any order',
    'for no key update',
    'nowait',
    'lock timeout',
  ],
  'advisory locks': [
    'advisory lock',
    'advisory lock of a row',
    'advisory lock of a transaction',
    'advisory lock, tried',
  ],
  'optimistic versions': ['version', 'version of one row'],
} as const satisfies Record<string, readonly string[]>

export const REDIS_GUARDS = {
  'watched keys': ['watch', 'watch, in one piece'],
  scripts: ['script'],
  'lock with a token': ['token', 'token of a list'],
} as const satisfies Record<string, readonly string[]>

export const CLAIMS = [
  'insert',
  'insert with savepoints',
  'do nothing',
  'do nothing in a transaction',
  'upsert',
] as const

type Values<Guards extends Readonly<Record<string, readonly string[]>>> = Guards[keyof Guards][number]
export type PostgresGuard = Values<typeof POSTGRES_GUARDS>
export type RedisGuard = Values<typeof REDIS_GUARDS>
export type Claim = (typeof CLAIMS)[number]

/** What a session does to accounts. `all` are the accounts of the program. */
export type Work =
  | { readonly kind: 'add'; readonly row: number; readonly amount: number }
  | { readonly kind: 'transfer'; readonly from: number; readonly to: number; readonly amount: number }
  /** If all accounts together have as much. */
  | { readonly kind: 'withdraw'; readonly row: number; readonly all: readonly number[]; readonly amount: number }
  /** Reads all. */
  | { readonly kind: 'audit'; readonly all: readonly number[] }

interface Common {
  /** Its family, and what distinguishes it: unique among the programs. */
  readonly name: string
  readonly family: string
}

/** Sessions that read accounts, and write what follows from it. */
export type AccountsProgram = Common & {
  readonly kind: 'accounts'
  readonly sessions: readonly (readonly Work[])[]
} & (
    | {
        readonly server: 'postgres'
        readonly guard: PostgresGuard
        readonly client: PostgresClient
        /** Accounts are read by one statement. */
        readonly together: boolean
      }
    | { readonly server: 'redis'; readonly guard: RedisGuard; readonly client: RedisClient; readonly together: boolean }
  )

/** Sessions that want the same keys. */
export type ClaimsProgram = Common & {
  readonly kind: 'claims'
  readonly server: 'postgres'
  readonly claim: Claim
  readonly client: PostgresClient
  readonly sessions: readonly (readonly number[])[]
}

/** Workers that take jobs until there is none. */
export type JobsProgram = Common & { readonly kind: 'jobs'; readonly workers: number } & (
    | { readonly server: 'postgres'; readonly client: PostgresClient }
    | { readonly server: 'redis'; readonly client: RedisClient }
  )

export type Program = AccountsProgram | ClaimsProgram | JobsProgram

export const POSTGRES_CLIENTS = ['client', 'prepared', 'pool', 'pool of one', 'postgres.js'] as const
export const REDIS_CLIENTS = ['ioredis', 'redis'] as const
export type PostgresClient = (typeof POSTGRES_CLIENTS)[number]
export type RedisClient = (typeof REDIS_CLIENTS)[number]

/** Of each account, at the beginning. */
export const BALANCE = 100
export const JOBS = 4

export const PROGRAMS = 200

/** The accounts that work reads, in order. */
export function rowsOf(work: Work): readonly number[] {
  if (work.kind === 'add') return [work.row]
  if (work.kind === 'transfer') return [work.from, work.to].sort((a, b) => a - b)
  return work.all
}

export type Balances = ReadonlyMap<number, number>

/** What work adds to which accounts, by what it has read; nothing if they have too little. */
export function deltasOf(work: Work, balances: Balances): Balances {
  const { kind } = work
  if (kind === 'add') return new Map([[work.row, work.amount]])
  const { amount } = kind === 'audit' ? { amount: Number.POSITIVE_INFINITY } : work
  const available = kind === 'transfer' ? balances.get(work.from)! : total(balances)
  if (kind === 'audit' || available < amount) return new Map()
  if (kind === 'withdraw') return new Map([[work.row, -amount]])
  return new Map([
    [work.from, -amount],
    [work.to, amount],
  ])
}

export function total(balances: Balances): number {
  return [...balances.values()].reduce((sum, balance) => sum + balance, 0)
}

/** Whether the total stays as it is, so that audits can tell. */
export function conserves({ sessions }: Pick<AccountsProgram, 'sessions'>): boolean {
  return sessions.flat().every(({ kind }) => kind === 'transfer' || kind === 'audit')
}
