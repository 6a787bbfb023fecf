/** Draws correct programs: each is a function of its number. */
import { type Chance, chance } from '../../../packages/norn/src/tape/chance.ts'
import {
  type AccountsProgram,
  CLAIMS,
  POSTGRES_CLIENTS,
  POSTGRES_GUARDS,
  type Program,
  REDIS_CLIENTS,
  REDIS_GUARDS,
  type Work,
} from './program.ts'

const SEED = 37
const ACCOUNTS = { min: 1, max: 4 }
const SESSIONS = { min: 2, max: 4 }
/** Of a session. */
const MAX_WORK = 3
const MAX_AMOUNT = 70
/** The share of programs with jobs, in the families that have some. */
const JOBS_SHARE = 0.2

/** What programs do: with these kinds of work together, it is known what has to hold. */
const MIXES: readonly (readonly Work['kind'][])[] = [
  ['add'],
  ['transfer'],
  ['transfer', 'audit'],
  ['add', 'transfer'],
  ['withdraw'],
  ['withdraw', 'transfer'],
]

export const FAMILIES = [...Object.keys(POSTGRES_GUARDS), 'unique constraints', ...Object.keys(REDIS_GUARDS)] as const

/** The first programs, by turns of each family. */
export function programs(count: number): readonly Program[] {
  return Array.from({ length: count }, (_, index) => programOf(index))
}

function programOf(index: number): Program {
  const random = chance(SEED, index)
  const family = FAMILIES[index % FAMILIES.length]!
  const name = (...parts: readonly string[]) => `${index + 1}: ${[family, ...parts].join(', ')}`
  if (family === 'unique constraints') {
    const client = pick(random, POSTGRES_CLIENTS)
    const claim = pick(random, CLAIMS)
    const keys = random.integer(1, 3)
    const sessions = several(random, SESSIONS, () => several(random, { min: 1, max: 3 }, () => random.integer(1, keys)))
    const distinct = sessions.map((each) => [...new Set(each)])
    return { kind: 'claims', name: name(claim, client), family, server: 'postgres', claim, client, sessions: distinct }
  }
  const isPostgres = family in POSTGRES_GUARDS
  if ((family === 'row locks' || family === 'scripts') && random.coin(JOBS_SHARE)) {
    const workers = random.integer(2, 4)
    const of = isPostgres
      ? ({ server: 'postgres', client: pick(random, POSTGRES_CLIENTS) } as const)
      : ({ server: 'redis', client: pick(random, REDIS_CLIENTS) } as const)
    return { kind: 'jobs', name: name('jobs', of.client), family, workers, ...of }
  }
  const guarded = isPostgres
    ? ({
        server: 'postgres',
        guard: pick(random, POSTGRES_GUARDS[family as keyof typeof POSTGRES_GUARDS]),
        client: pick(random, POSTGRES_CLIENTS),
      } as const)
    : ({
        server: 'redis',
        guard: pick(random, REDIS_GUARDS[family as keyof typeof REDIS_GUARDS]),
        client: pick(random, REDIS_CLIENTS),
      } as const)
  const sessions = sessionsOf(random, guarded.guard)
  const kinds = [...new Set(sessions.flat().map(({ kind }) => kind))].join(' and ')
  const together = random.coin(0.5)
  return { kind: 'accounts', name: name(guarded.guard, kinds, guarded.client), family, sessions, together, ...guarded }
}

function sessionsOf(random: Chance, guard: AccountsProgram['guard']): AccountsProgram['sessions'] {
  // What only reads an account is no conflict at this level: that would be a write skew.
  const allowed = MIXES.filter((mix) => guard !== 'repeatable read' || !mix.includes('withdraw'))
  const mix = guard === 'version of one row' ? (['add'] as const) : pick(random, allowed)
  const least = mix.includes('transfer') ? 2 : ACCOUNTS.min
  const all = Array.from({ length: random.integer(least, ACCOUNTS.max) }, (_, index) => index + 1)
  const work = (): Work => {
    const kind = pick(random, mix)
    const row = pick(random, all)
    const amount = random.integer(1, MAX_AMOUNT)
    if (kind === 'add') return { kind, row, amount }
    if (kind === 'audit') return { kind, all }
    if (kind === 'withdraw') return { kind, row, all, amount: amount * all.length }
    return {
      kind,
      from: row,
      to: pick(
        random,
        all.filter((each) => each !== row),
      ),
      amount,
    }
  }
  return several(random, SESSIONS, () => several(random, { min: 1, max: MAX_WORK }, work))
}

function several<Value>(random: Chance, { min, max }: { min: number; max: number }, draw: () => Value): Value[] {
  return Array.from({ length: random.integer(min, max) }, draw)
}

function pick<Value>(random: Chance, values: readonly Value[]): Value {
  return values[random.integer(0, values.length - 1)]!
}
