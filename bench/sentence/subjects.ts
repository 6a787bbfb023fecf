/**
 * What the sentence is judged by: of each race the two operations that its fix puts in order or keeps apart, as
 * patterns of their places. Chosen from the diffs of the fixes, before the rules that are measured.
 */
import { resolve } from 'node:path'
import { RACES, type Subject } from '../subjects/catalogue.ts'

export interface SentenceSubject extends Subject {
  /** Where the two operations are started; the sentence is right if it has a place of each. */
  readonly operations: readonly [RegExp, RegExp]
  /** Whether its packages have a folder of their own, which is installed on demand. */
  readonly isApart: boolean
}

/** Of the published races with packages of this repository. */
const PUBLISHED: Readonly<Record<string, readonly [RegExp, RegExp]>> = {
  'cinovo-logger-file': [/index\.js:52\b/, /index\.js:194\b/],
  fastq: [/fastq\.fuzz\.ts:3[68]\b/, /fastq\.fuzz\.ts:30\b/],
  'generic-pool': [/generic-pool\.fuzz\.ts:35\b/, /generic-pool\.fuzz\.ts:29\b/],
  lockfile: [/lockfile\.js:156\b/, /lockfile\.js:61\b/],
  mkdirp: [/index\.js:9\b/, /index\.js:13\b/],
  'p-queue': [/p-queue\.fuzz\.ts:34\b/, /p-queue\.fuzz\.ts:29\b/],
  'rotating-file-stream': [/index\.js:293\b/, /index\.js:90\b/],
  // The reopen against the open before it, or its close against the write.
  'sonic-boom': [/sonic-boom\.fuzz\.ts:36\b|index\.js:191\b/, /index\.js:19\b|index\.js:(?:149|2\d\d)\b/],
  // The second write against the rename of the first, or what that waits for.
  steno: [/steno\.fuzz\.ts:40\b/, /steno-buggy\/index\.js:(?:33|42)\b/],
  'write-file-atomic': [/rename .* before rename /i, /bind-actor\.js:15\b/],
  agentkeepalive: [/agentkeepalive\.fuzz\.ts:24\b/, /agentkeepalive\.fuzz\.ts:(?:29|35)\b/],
  'engine.io': [/engine\.io\.fuzz\.ts:3[67]\b/, /engine\.io-(?:buggy|client)\//],
  'generic-pool-destroy': [/generic-pool-destroy\.fuzz\.ts:39\b/, /generic-pool-destroy\.fuzz\.ts:(?:23|28|42|45)\b/],
  // The second probe against the first service's listen, or the settings that it reads before.
  'get-port': [/get-port\.fuzz\.ts:3[78]\b|get-port-buggy\//, /get-port\.fuzz\.ts:(?:20|39)\b/],
  ioredis: [/ioredis\.fuzz\.ts:47\b/, /ioredis\.fuzz\.ts:46\b|event_handler\.js/],
  'ioredis-pipeline': [/ioredis-pipeline\.fuzz\.ts:59\b/, /ioredis-pipeline\.fuzz\.ts:32\b/],
  tarn: [/PendingOperation\.js:35\b/, /tarn\.fuzz\.ts:(?:30|31|37)\b/],
  undici: [/undici\.fuzz\.ts:38\b/, /undici-buggy\/lib\/|undici\.fuzz\.ts:(?:24|37)\b/],
  ws: [/ws\.fuzz\.ts:47\b/, /ws\.fuzz\.ts:31\b/],
  // Torn, not reordered: silent is right.
  'ws-close-frame': [/^$/, /^$/],
}

/** Of further published races, and small programs, in bench/subjects/sentence. */
const OTHERS: Readonly<Record<string, readonly [RegExp, RegExp]>> = {
  // The connection that fails against the client that asks next.
  'pg-pool': [/pg-pool-buggy\/|pg\/lib\//, /pg-pool\.fuzz\.ts:(?:49|52)\b/],
  nodemailer: [/nodemailer\.fuzz\.ts:4[58]\b/, /nodemailer-buggy\/lib\//],
  workerpool: [/workerpool\.fuzz\.ts:(?:19|23)\b/, /workerpool-buggy\/|work\.cjs:2\b/],
  // The waiter's timeout against the release.
  rwlock: [/lock\.js:5\b/, /rwlock\.fuzz\.ts:20\b/],
  // The client that leaves against the middleware that lets it in.
  'socket.io': [/socket\.io\.fuzz\.ts:40\b|ws\/lib\//, /socket\.io\.fuzz\.ts:24\b/],
  // The server that closes against the parts of the response.
  'node-fetch': [/node-fetch\.fuzz\.ts:28\b/, /node-fetch\.fuzz\.ts:2[013]\b/],
  got: [/got\.fuzz\.ts:19\b/, /got\.fuzz\.ts:2[123]\b/],
  // The proxy that gives up against its answer.
  'https-proxy-agent': [/https-proxy-agent\.fuzz\.ts:27\b/, /https-proxy-agent\.fuzz\.ts:2[34]\b/],
  // The close against the handshake.
  'faye-websocket': [
    /faye-websocket\.fuzz\.ts:30\b/,
    /faye-websocket\.fuzz\.ts:2[07]\b|faye-websocket-buggy\/|websocket-driver\//,
  ],
  // The close of the channel against a confirmation.
  amqplib: [/amqplib\.fuzz\.ts:3[13]\b/, /amqplib\.fuzz\.ts:3[56]\b/],
  gate: [/gate\.fuzz\.ts:23\b.* before .*gate\.fuzz\.ts:23\b/, /gate\.fuzz\.ts:23\b/],
  // Both fetch the total before either sets it.
  threads: [/\{ get: true \}/, /\{ set: /],
  'keep-alive': [/keep-alive\.fuzz\.ts:2[0-6]\b/, /keep-alive\.fuzz\.ts:(?:10|32)\b/],
  'job-attempts': [/job-queue\.ts:28\b/, /job-attempts\.fuzz\.ts:14\b/],
  'job-slots': [/job-queue\.ts:28\b/, /job-slots\.fuzz\.ts:18\b/],
  bookings: [/bookings\.fuzz\.ts:11\b/, /bookings\.fuzz\.ts:13\b/],
  'cache-fill': [/cache-fill\.fuzz\.ts:(?:20|32)\b/, /cache-fill\.fuzz\.ts:14\b/],
  'called-twice': [/called-twice\.fuzz\.ts:9\b/, /called-twice\.fuzz\.ts:10\b/],
  'lost-wake-up': [/lost-wake-up\.fuzz\.ts:[89]\b/, /lost-wake-up\.fuzz\.ts:17\b/],
  'after-close': [/after-close\.fuzz\.ts:(?:20|31)\b/, /after-close\.fuzz\.ts:1[56]\b/],
}

/** The folder with packages of its own. */
export const FOLDER = resolve(import.meta.dirname, '../subjects/sentence')

const PACKAGED = [
  ...['pg-pool', 'nodemailer', 'workerpool', 'rwlock'],
  ...['socket.io', 'node-fetch', 'got', 'https-proxy-agent', 'faye-websocket', 'amqplib'],
]

export const SUBJECTS: readonly SentenceSubject[] = [
  ...RACES.map((race) => ({ ...race, operations: PUBLISHED[race.name]!, isApart: false })),
  ...Object.entries(OTHERS).map(([name, operations]) => ({
    name,
    file: resolve(FOLDER, `${name}.fuzz.ts`),
    operations,
    isApart: PACKAGED.includes(name),
  })),
]
