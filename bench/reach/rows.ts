/** The rows of the reach suite, and what is expected of each. */

export interface ReachRow {
  /** Its file is `subjects/<subject>.fuzz.ts`. */
  readonly subject: string
  readonly area: string
  /** Executions of the corrected program, where one takes too long for the usual number. */
  readonly runs?: number
  /** The row is expected to be inconclusive; what to do instead. Otherwise it works. */
  readonly wayRound?: string
  /** The native addons that may load, as with `--allow-addon`. */
  readonly allowedAddons?: readonly string[]
  /** On stock Node it needs a server that is not here. */
  readonly needsServer?: true
}

const SERVER = { needsServer: true, wayRound: 'a real server by `--open`, or a stand-in' } as const
/** WebAssembly is compiled and started anew in each execution. */
const HEAVY = { runs: 20 } as const

const AREAS: Readonly<Record<string, Readonly<Record<string, Omit<ReachRow, 'subject' | 'area'>>>>> = {
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
  'files and processes': {
    'write-file-atomic': {},
    'proper-lockfile': {},
    lowdb: {},
    chokidar: {},
    piscina: {},
    execa: {},
  },
}

export const ROWS: readonly ReachRow[] = Object.entries(AREAS).flatMap(([area, subjects]) =>
  Object.entries(subjects).map(([subject, row]) => ({ subject, area, ...row })),
)

/** Rows of a smoke run: these packages are dependencies of the repository, or part of Node. */
export const SMOKE: readonly string[] = [
  'node-http',
  'lru-cache',
  'p-queue',
  'web-streams',
  'readline',
  'write-file-atomic',
]

/** Also if the program itself fails on stock Node: its row shows nothing then. */
export function isUnexpected({ state, expected, stock }: Record<'state' | 'expected' | 'stock', string>): boolean {
  return state !== expected || (expected === 'works' && stock !== 'passes')
}
