/**
 * All subjects: what the suites search. One row a subject; its file is `<collection>/<name>.fuzz.ts`, whose
 * head tells the bug. Versions are those of the package.json beside the collection, or of bench/package.json.
 */
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type Databases, postgres, redis } from '../../packages/norn/src/options/databases.ts'

export const ROOT = resolve(import.meta.dirname, '../..')

export interface Subject {
  readonly name: string
  /** Absolute path of its file of properties. */
  readonly file: string
  /** Its package, if it is one: as it is installed, or as `<package>-buggy` and `<package>-fixed`. */
  readonly package?: string
}

/** A known bug of a published package: the file imports the buggy version. */
export interface Race extends Subject {
  /** [import, replacement]: the alias for the fixed version. */
  readonly fix: readonly [string, string]
}

/** A known bug of a published package that shows in what its clients do to a database. */
export interface DatabaseRace extends Race {
  /** The databases of a version, by the name under which that is installed. */
  databases(version: string): Databases
}

/** A program of a paper. A property is named after it: the name, a colon, and the law. */
export interface PaperSubject extends Subject {
  /** The techniques that it rules out, with the reason. */
  readonly without: Readonly<Record<string, string>>
}

/** A current package in a program that exists twice: corrected, and with a race planted. */
export interface ReachSubject extends Subject {
  readonly area: string
  /** Executions of the corrected program, where one takes too long for the usual number. */
  readonly runs?: number
  /** It is expected to be inconclusive; what to do instead. Otherwise it works. */
  readonly wayRound?: string
  /** The native addons that may load, as with `--allow-addon`. */
  readonly allowedAddons?: readonly string[]
  /** On stock Node it needs a server that is not here. */
  readonly needsServer?: true
}

/** Published races: those of files and queues, then those over sockets. */
export const RACES: readonly Race[] = [
  ...['cinovo-logger-file', 'fastq', 'generic-pool', 'lockfile', 'mkdirp'],
  ...['p-queue', 'rotating-file-stream', 'sonic-boom', 'steno', 'write-file-atomic'],
  ...['agentkeepalive', 'engine.io', 'generic-pool-destroy', 'get-port', 'ioredis'],
  ...['ioredis-pipeline', 'tarn', 'undici', 'ws', 'ws-close-frame'],
].map((name) => {
  // The logger has no fixed release, so it has a wrapper of ours.
  const wrapper = at('races', `${name}-fixed.ts`)
  return {
    ...subject('races', name),
    package: name,
    fix: [`${name}-buggy`, existsSync(wrapper) ? wrapper : `${name}-fixed`],
  }
})

/** Packages that are installed on demand. */
export const DATABASE_RACES_FOLDER = at('database-races')

/** Published races over a database: those of PostgreSQL, then those of Redis. */
export const DATABASE_RACES: readonly DatabaseRace[] = [
  databaseRace('node-pg-migrate', 'node-pg-migrate', () => ({ main: postgres() })),
  databaseRace('rate-limit-postgresql', '@acpr/rate-limit-postgresql', (version) => ({
    main: postgres({ prepare: `node '${at('database-races', 'rate-limit-postgresql.prepare.mjs')}' ${version}` }),
  })),
  databaseRace('bullmq', 'bullmq', () => ({ main: redis() })),
  databaseRace('ratelimiter', 'ratelimiter', () => ({ main: redis() })),
]

const NO_INPUT = { 'schedule-only': 'the subject has no input: this is the technique random' }
const NO_CLOCK = { 'fast-check': 'the bug depends on time, and fc.scheduler has no clock' }
const NO_SCHEDULE = { 'schedule-only': 'the subject has no schedule' }

/** ConFuzz's subjects, named as in the paper, and the needle of "Combining AFL and QuickCheck". */
export const CONFUZZ: readonly PaperSubject[] = [
  paper('IR', 'ir', NO_INPUT),
  paper('LWT', 'lwt', NO_INPUT),
  paper('TCP', 'tcp', NO_CLOCK),
  paper('GHO', 'gho'),
  paper('PB', 'pb'),
  paper('NKD', 'nkd'),
  paper('CLF', 'clf', NO_CLOCK),
  paper('FPS', 'fps', NO_CLOCK),
  paper('MX', 'mx'),
  paper('pipe', 'pipe'),
  paper('B1', 'b1', NO_CLOCK),
  ...[1, 2, 3, 4, 5].map((n) => paper(`B2(${n})`, 'b2', NO_INPUT)),
  paper('needle', 'needle', NO_SCHEDULE),
]

const SERVER = { needsServer: true, wayRound: 'a real server by `--open`, or a stand-in' } as const
/** WebAssembly is compiled and started anew in each execution. */
const HEAVY = { runs: 20 } as const

/** By area. */
const AREAS: Readonly<Record<string, Readonly<Record<string, Omit<ReachSubject, keyof Subject | 'area'>>>>> = {
  'servers and clients': {
    'node-http': {},
    'express-fetch': {},
    'express-supertest': {},
    'express-light-my-request': {},
    'fastify-inject': {},
    'fastify-listening': {},
    koa: {},
    hono: {},
    'hono-listening': {},
    nestjs: {},
    'graphql-yoga': {},
    ws: {},
    websocket: {},
    'socket.io': {},
    undici: {},
    axios: {},
    nock: {},
    msw: {},
    grpc: {},
  },
  'brokers and databases': {
    ioredis: SERVER,
    'ioredis-stand-in': {},
    'ioredis-mock': {},
    redis: SERVER,
    pg: SERVER,
    'pg-stand-in': HEAVY,
    'pg-fake': {},
    'pg-mem': {},
    pglite: HEAVY,
    mongodb: SERVER,
    kafkajs: SERVER,
    bullmq: SERVER,
    'sql.js': {},
    'node-sqlite': {},
    level: { wayRound: 'memory-level' },
    'memory-level': {},
  },
  'native addons': {
    msgpackr: {},
    'better-sqlite3': { allowedAddons: ['better-sqlite3'] },
    'node-rs-xxhash': { allowedAddons: ['@node-rs/xxhash-linux-x64-gnu', '@node-rs/xxhash-linux-arm64-gnu'] },
  },
  'caches, queues, locks, schedulers': {
    'lru-cache': {},
    dataloader: {},
    'p-queue': {},
    fastq: {},
    async: {},
    'async-mutex': {},
    'generic-pool': {},
    opossum: {},
    'toad-scheduler': {},
    'node-cron': {},
    croner: {},
  },
  'state and effects': { rxjs: {}, xstate: {}, effect: {}, zustand: {}, 'query-core': {} },
  'streams and logs': { 'web-streams': {}, 'fs-streams': {}, readline: {}, pino: {}, winston: {} },
  'the DOM': { 'jsdom-react': {}, jsdom: {}, 'happy-dom': {} },
  'files and processes': {
    'write-file-atomic': {},
    'proper-lockfile': {},
    lowdb: {},
    chokidar: {},
    piscina: {},
    execa: {},
  },
}

/** Packages that are installed on demand. */
export const REACH_FOLDER = at('reach')

export const REACH: readonly ReachSubject[] = Object.entries(AREAS).flatMap(([area, rows]) =>
  Object.entries(rows).map(([name, row]) => ({ ...subject('reach', name), area, ...row })),
)

/** A program that is only measured: no race is planted in it. */
export const COMPILER: Subject = subject('reach', 'typescript')

/** Where a package is not named as its file. */
const HUNTED: Readonly<Record<string, string>> = { 'proper-lockfile2': '@bybrave/proper-lockfile2' }

/** Properties of published packages, from what their README promises; `sockets/` and `databases/` have later hunts. */
export const HUNT: readonly Subject[] = [
  ...['archiver', 'async', 'async-lock', 'async-mutex', 'async-sema'],
  ...['bottleneck', 'cacache', 'cache-manager', 'cacheable', 'cockatiel'],
  ...['dataloader', 'fastq', 'file-stream-rotator', 'flat-cache', 'fs-extra'],
  ...['generic-pool', 'keyv', 'limiter', 'lockfile', 'lru-cache'],
  ...['memoizee', 'node-persist', 'p-memoize', 'p-queue', 'p-throttle'],
  ...['proper-lockfile2', 'queue', 'rate-limiter-flexible', 'sonic-boom', 'steno'],
  ...['streamroller', 'tar', 'tarn', 'unstorage', 'winston'],
  ...['write-file-atomic'],
  ...[
    'sockets/agentkeepalive',
    'sockets/formidable',
    'sockets/got',
    'sockets/graphql-ws',
    'sockets/http-proxy-middleware',
  ],
  ...['sockets/ioredis', 'sockets/mqtt', 'sockets/multer', 'sockets/mysql2', 'sockets/needle'],
  ...['sockets/nodemailer', 'sockets/portfinder', 'sockets/socket.io', 'sockets/undici', 'sockets/ws'],
  ...['databases/bee-queue', 'databases/bullmq', 'databases/connect-pg-simple', 'databases/graphile-worker'],
  ...['databases/pg-boss', 'databases/postgres-migrations', 'databases/rate-limit-redis'],
  ...['databases/rate-limiter-flexible', 'databases/redis-semaphore', 'databases/redlock'],
].map((name) => ({ ...subject('hunt', name), package: HUNTED[name] ?? basename(name) }))

export const COLLECTIONS: Readonly<Record<string, readonly Subject[]>> = {
  races: RACES,
  'database-races': DATABASE_RACES,
  confuzz: CONFUZZ,
  reach: [...REACH, COMPILER],
  hunt: HUNT,
}

/** The versions of a subject's package that are declared: the buggy and the fixed one, or one. */
export function versionsOf({ file, package: name }: Subject): readonly string[] {
  if (name === undefined) return []
  let folder = dirname(file)
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  const pair = [`${name}-buggy`, `${name}-fixed`].flatMap((key) => dependencies[key]?.replace('npm:', '') ?? [])
  return pair.length > 0 ? pair : [`${name}@${dependencies[name]}`]
}

function databaseRace(name: string, packageName: string, databases: DatabaseRace['databases']): DatabaseRace {
  const fix = [`${packageName}-buggy`, `${packageName}-fixed`] as const
  return { ...subject('database-races', name), package: packageName, fix, databases }
}

function subject(collection: string, name: string): Subject {
  return { name, file: at(collection, `${name}.fuzz.ts`) }
}

function paper(name: string, stem: string, without: PaperSubject['without'] = {}): PaperSubject {
  return { name, file: at('confuzz', `${stem}.fuzz.ts`), without }
}

function at(...path: readonly string[]): string {
  return resolve(import.meta.dirname, ...path)
}
