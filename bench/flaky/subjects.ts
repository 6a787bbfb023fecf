/**
 * What the suite flaky runs: test suites of others, and published commits that mend a flaky test.
 *
 * Chosen from repositories and their histories before norn ran on any of them, but for those that a
 * pilot knew: p-queue, dataloader, session, under-pressure, query, nock and ioredis; and the commits
 * 750976cc4 and 55c484150 of fastify, 688748ac2 of undici, 8702f78 of node-cron, 5d5b51f of session
 * and 18d0e35d of pino. Facts only: none of their code is here, and none is fetched.
 */

export const RUNNERS = ['vitest', 'jest', 'mocha', 'node:test'] as const
export type Runner = (typeof RUNNERS)[number]

/** A suite of others at a commit. */
export interface PublishedSuite {
  /** Owner and name. */
  readonly repository: string
  readonly commit: string
  /** Below the root of the repository. */
  readonly folder: string
  readonly runner: Runner
  /** The runner's version in the manifest; empty for the one of Node. */
  readonly version: string
  /** Arguments of the runner. */
  readonly args: readonly string[]
  readonly has?: string
}

/** A commit that mends a flaky test: before is its parent. */
export interface PublishedFlake {
  readonly repository: string
  readonly commit: string
  readonly file: string
  /** Null where the diff does not name it, or concerns several. */
  readonly test: string | null
  /** What made it flaky, as the diff reads. */
  readonly kind:
    | 'clock'
    | 'environment'
    | 'leftover'
    | 'load'
    | 'not awaited'
    | 'order'
    | 'port'
    | 'sleep against an operation'
  /** What the diff changes. */
  readonly mends: string
}

export const SUITES: readonly PublishedSuite[] = [
  {
    repository: 'sindresorhus/p-queue',
    commit: '180ab9e25cd10b6f548767d7176076b50d25e188',
    folder: '.',
    runner: 'node:test',
    version: '',
    args: ['--import=tsx/esm', '--test', 'test/*.ts'],
  },
  {
    repository: 'graphql/dataloader',
    commit: 'b70dea3cc72a7e8f941133b0f486aa1840e3f927',
    folder: '.',
    runner: 'jest',
    version: '24.9.0',
    args: [],
  },
  {
    repository: 'expressjs/session',
    commit: '2c9512fb790e4bf80b3b62305eb8078028607785',
    folder: '.',
    runner: 'mocha',
    version: '10.8.2',
    args: ['--require', 'test/support/env', 'test/'],
  },
  {
    repository: 'fastify/under-pressure',
    commit: '236b53cdb49477ab3bf528ecc40daa4f9a155e3b',
    folder: '.',
    runner: 'node:test',
    version: '',
    args: ['--test', 'test/*.test.js'],
  },
  {
    repository: 'TanStack/query',
    commit: '40321a0b1b3bdd0afa11f0e439642ab84cdf6afe',
    folder: 'packages/query-core',
    runner: 'vitest',
    version: '^4.0.18',
    args: ['run'],
  },
  {
    repository: 'TanStack/query',
    commit: '40321a0b1b3bdd0afa11f0e439642ab84cdf6afe',
    folder: 'packages/react-query',
    runner: 'vitest',
    version: '^4.0.18',
    args: ['run'],
    has: 'jsdom, components',
  },
  {
    repository: 'nock/nock',
    commit: '07fbfab489ca878fda0db9ad34b1cee6381bb21c',
    folder: '.',
    runner: 'mocha',
    version: '^11.7.2',
    args: ['--recursive', 'tests'],
  },
  {
    repository: 'redis/ioredis',
    commit: 'dfd542824dfb7168420f19fdfabe9fe1156efe10',
    folder: '.',
    runner: 'mocha',
    version: '^11.7.6',
    args: ['test/unit/**/*.ts'],
    has: 'its unit part: the database is stubbed',
  },
  {
    repository: 'pmndrs/zustand',
    commit: 'f094eebe9bd3b4b0d77b997f69ab1d273f69a877',
    folder: '.',
    runner: 'vitest',
    version: '^4.1.10',
    args: ['run'],
    has: 'jsdom, components',
  },
  {
    repository: 'vercel/swr',
    commit: '7173e55b2a175dee455612c5fa067383345c392f',
    folder: '.',
    runner: 'jest',
    version: '30.2.0',
    args: [],
    has: 'jsdom, components',
  },
  {
    repository: 'nestjs/throttler',
    commit: '5936ae995ecf620f501e9cd0ce9b0734d20ea6a7',
    folder: '.',
    runner: 'jest',
    version: '29.7.0',
    args: [],
    has: 'NestJS',
  },
  {
    repository: 'nestjs/cache-manager',
    commit: 'f34fe5a9730d5f1367039792de81aa3b384f637e',
    folder: '.',
    runner: 'vitest',
    version: '4.1.11',
    args: ['run'],
    has: 'NestJS',
  },
  {
    repository: 'nestjs/schedule',
    commit: '0fdab45207fa984ca4717db5006285faff5530f6',
    folder: '.',
    runner: 'vitest',
    version: '4.1.11',
    args: ['run'],
    has: 'NestJS',
  },
  {
    repository: 'mswjs/interceptors',
    commit: '75e259c426e080fe6847862af7ae49cdc17e2804',
    folder: '.',
    runner: 'vitest',
    version: '^4.1.10',
    args: ['run'],
    has: 'jsdom and happy-dom',
  },
  {
    repository: 'animir/node-rate-limiter-flexible',
    commit: '3c9c826248cd470960740c89e25a1277dc98fbf4',
    folder: '.',
    runner: 'mocha',
    version: '^10.8.2',
    args: ['test/**/*.test.js'],
    has: 'databases stubbed',
  },
  {
    repository: 'moleculerjs/moleculer',
    commit: '503273f332892132e6b7e324ca963ec90bf256a1',
    folder: '.',
    runner: 'jest',
    version: '^29.7.0',
    args: ['--testMatch', '**/unit/**/*.spec.js'],
    has: 'databases and brokers stubbed',
  },
  {
    repository: 'websockets/ws',
    commit: 'a2f4e7c046c2112bbce6fef39a083dac77d6f0d2',
    folder: '.',
    runner: 'mocha',
    version: '^8.4.0',
    args: ['test/*.test.js'],
  },
  {
    repository: 'caolan/async',
    commit: '77fd31096b7b421d6cd6be84757c767e0b35b9fd',
    folder: '.',
    runner: 'mocha',
    version: '^6.1.4',
    args: ['test'],
  },
  {
    repository: 'delvedor/find-my-way',
    commit: '31aa3ae9c26a898d3f478c6bbfcd079ab85d1b99',
    folder: '.',
    runner: 'node:test',
    version: '',
    args: ['--test', 'test/*.test.js'],
  },
  {
    repository: 'reduxjs/redux-toolkit',
    commit: '74200d87c27ca2b1c0915b2fbb4c44dd7494c2aa',
    folder: 'packages/toolkit',
    runner: 'vitest',
    version: 'of the repository',
    args: ['run'],
    has: 'jsdom, components',
  },
]

export const FLAKES: readonly PublishedFlake[] = [
  {
    repository: 'fastify/fastify',
    commit: '750976cc4cb09c3aedc00b27a971601856a5eafe',
    file: 'test/hooks-async.test.js',
    test: 'async hooks',
    kind: 'not awaited',
    mends: 'waits for the three responses as well as for three hooks (first known as b18583964)',
  },
  {
    repository: 'fastify/fastify',
    commit: '55c4841507bd796030a0aa754ed51f5865f732a4',
    file: 'test/close-pipelining.test.js',
    test: 'Should return 503 while closing - pipelining',
    kind: 'order',
    mends: 'the third request may be refused instead of answered with 503 (first known as ca7400949)',
  },
  {
    repository: 'fastify/fastify',
    commit: 'e17142fc6cf162f448ba28de14c7e5a353e460a8',
    file: 'test/versioned-routes.test.js',
    test: 'Should register a versioned route',
    kind: 'not awaited',
    mends: 'sends the second request in the callback of the first, so that the test ends after both',
  },
  {
    repository: 'fastify/fastify',
    commit: '6c8e0955096300dd4fcae7a043a9a735d08f9369',
    file: 'test/hooks.on-listen.test.js',
    test: 'onListen hooks do not block /1',
    kind: 'clock',
    mends: 'asks whether the server listens, instead of whether fewer than 50 ms passed',
  },
  {
    repository: 'fastify/fastify',
    commit: 'dd9259b02961be023c2467dc3c84e043211448a6',
    file: 'test/http2/closing.js',
    test: null,
    kind: 'order',
    mends: 'closes the server after the answer to the first request',
  },
  {
    repository: 'fastify/fastify',
    commit: 'dc9ca9c7e7548a81d3a64c6916a9f256c3b98c41',
    file: 'test/http2/closing.js',
    test: null,
    kind: 'order',
    mends: 'the request beside a close may fail instead of being answered with 503',
  },
  {
    repository: 'nodejs/undici',
    commit: '688748ac216e4e42daeffff3f7831f19cfc5d11a',
    file: 'test/interceptors/deduplicate.js',
    test: null,
    kind: 'sleep against an operation',
    mends: 'waits for the first chunk of the body instead of 20 ms (first known as c7d664ec5)',
  },
  {
    repository: 'nodejs/undici',
    commit: '2fb132cee191b5c600e076ccf7cd3bed6178889f',
    file: 'test/fetch/issue-2898-comment.js',
    test: null,
    kind: 'not awaited',
    mends: 'awaits the headers that the server received before it compares them',
  },
  {
    repository: 'nodejs/undici',
    commit: '296b42436619b40d7a0f8d56bdf14404587addf1',
    file: 'test/issue-5137.js',
    test: 'RetryAgent rejects after exhausting retries on HTTP/2 stream timeout',
    kind: 'not awaited',
    mends: 'waits until the server counted three streams before it compares the count',
  },
  {
    repository: 'nodejs/undici',
    commit: '827cac7f63505c2f0df3e50fe2a8c00e2ec4db2b',
    file: 'test/retry-handler2.js',
    test: null,
    kind: 'clock',
    mends: 'measures with the monotonic clock, and allows 100 ms less than the delay',
  },
  {
    repository: 'nodejs/undici',
    commit: '71560feff37118ef22ae63d60d12ba9503ea89e8',
    file: 'test/http2-dispatcher.js',
    test: 'Dispatcher#Connect',
    kind: 'order',
    mends: 'handles errors of the forwarded request and of its stream',
  },
  {
    repository: 'nodejs/undici',
    commit: '6e042f7bd52aa44c4ca7d4eaf89df61761885286',
    file: 'test/issue-3356.js',
    test: 'https://github.com/nodejs/undici/issues/3356',
    kind: 'sleep against an operation',
    mends: '3,000 ms instead of 100 before the rest of the body; the body timeout is 1,500 ms instead of 50',
  },
  {
    repository: 'nodejs/undici',
    commit: 'c6d37d2ccd4f6822c00993c2f2441050cfb84be0',
    file: 'test/websocket/close-invalid-status-code.js',
    test: 'Client fails the connection if receiving a masked frame',
    kind: 'order',
    mends: 'waits for the server to listen, and ends the socket with the invalid frame instead of closing beside it',
  },
  {
    repository: 'node-cron/node-cron',
    commit: '8702f78652aaa8a22eb53ff96b11c7056b347211',
    file: 'src/tasks/introspection.test.ts',
    test: null,
    kind: 'clock',
    mends: 'waits for the start of a run, and holds the run, instead of waiting 1,100 ms beside a run of 700 ms',
  },
  {
    repository: 'node-cron/node-cron',
    commit: '0a5190bc981b99a2bc8d57c145a8e15d559cf32f',
    file: 'src/tasks/background-scheduled-task/daemon.test.ts',
    test: null,
    kind: 'order',
    mends: 'looks for each event among the messages instead of at a place',
  },
  {
    repository: 'expressjs/session',
    commit: '5d5b51ff220f0e0d2adca06b3fbffc3310e56975',
    file: 'test/session.js',
    test: null,
    kind: 'clock',
    mends: 'a maximal age of 2000 may be read as 1999',
  },
  {
    repository: 'expressjs/session',
    commit: '4b40b2fb54cde1774e7810c42ca01fe5c971bcbf',
    file: 'test/cookie.js',
    test: null,
    kind: 'clock',
    mends: 'allows a second between setting the maximal age and reading it',
  },
  {
    repository: 'pinojs/pino',
    commit: '18d0e35deb3ca25281520587438d116b3f0270c0',
    file: 'test/transport/uses-pino-config.test.js',
    test: 'transport uses pino config',
    kind: 'not awaited',
    mends: 'waits for the text in the file instead of for the file',
  },
  {
    repository: 'pinojs/pino',
    commit: 'e5f17ae4dc1b46c33da16d9e1e5f817a2bacfc7c',
    file: 'test/transport/core.test.js',
    test: 'autoEnd = false',
    kind: 'not awaited',
    mends: 'waits until the transport is ready',
  },
  {
    repository: 'pinojs/thread-stream',
    commit: '06e8abb154ecd20f75c637d1093b2069e32a5697',
    file: 'test/thread-management.test.js',
    test: 'emit error if thread exits',
    kind: 'leftover',
    mends: 'awaits the close of the stream before the test ends',
  },
  {
    repository: 'websockets/ws',
    commit: '726abc3d1e96a51eebb8d1460303dc68d9d3d4b4',
    file: 'test/websocket.test.js',
    test: 'does not re-emit `net.Socket` errors',
    kind: 'order',
    mends: 'resets the connection at the server instead of terminating it and sending two messages',
  },
  {
    repository: 'websockets/ws',
    commit: '855494da8d8f86821c8be7621a9b83f6ec32af9c',
    file: 'test/websocket-server.test.js',
    test: null,
    kind: 'sleep against an operation',
    mends: 'verifies the client when its socket ended instead of after 100 ms, beside a timeout of 50 ms',
  },
  {
    repository: 'websockets/ws',
    commit: '7f5025ddc43be633395ebe7741777424bb45a148',
    file: 'test/websocket.test.js',
    test: null,
    kind: 'order',
    mends: 'accepts four codes of errors instead of errors of writing only',
  },
  {
    repository: 'fastify/fastify-websocket',
    commit: '9a7b643612de0c06fe7e3ba11fc5bc0289a2c372',
    file: 'test/base.js',
    test: 'Should keep accepting connection',
    kind: 'load',
    mends: 'the unhandled connections may be as many as the threshold',
  },
  {
    repository: 'mercurius-js/mercurius',
    commit: 'd06d0004b70f01d19c62b2bd1a6e0df2fdd68897',
    file: 'test/gateway/pollingInterval.js',
    test: 'Polling schemas (subscriptions should be handled)',
    kind: 'order',
    mends: 'advances the fake clock by 10 s instead of 2 s, and turns the loop twice',
  },
  {
    repository: 'mercurius-js/mercurius',
    commit: 'b7d5685805a5d4e796ef9ffed5d3cc90b073016f',
    file: 'test/gateway/retry-failed-services.js',
    test: 'gateway - retry mandatory failed services on startup',
    kind: 'port',
    mends: 'one service listens at any free port, others at ports of the test',
  },
  {
    repository: 'node-fetch/node-fetch',
    commit: '11b703361134340a8361f591d6e3a0bcf6a261fa',
    file: 'test/main.js',
    test: null,
    kind: 'sleep against an operation',
    mends: 'aborts at once instead of after 100 ms',
  },
  {
    repository: 'sindresorhus/got',
    commit: '0863bcd5e90e029518c7d9f16dbd0a8761112e9a',
    file: 'test/timeout.ts',
    test: 'timeouts are emitted ASAP',
    kind: 'environment',
    mends: 'asks a local server that never answers, instead of an address without a route',
  },
  {
    repository: 'socketio/socket.io',
    commit: '683720a67d88618f5de1010c8f06c1c78695169e',
    file: 'test/index.ts',
    test: null,
    kind: 'order',
    mends: 'connects a client when its worker listens',
  },
  {
    repository: 'socketio/socket.io',
    commit: '582655f679ccc43f0a9cbef1f13ea3cde07dc2e1',
    file: 'packages/socket.io-cluster-engine/test/cluster.ts',
    test: null,
    kind: 'leftover',
    mends: 'counts the ends of all workers, with the listener set before they are killed',
  },
  {
    repository: 'socketio/socket.io',
    commit: 'c840bad43a2526dddd7358f25ba93c17477b6312',
    file: 'test/socket.io.ts',
    test: null,
    kind: 'order',
    mends: 'closes the socket.io server instead of the HTTP server; counts the connections at the clients',
  },
  {
    repository: 'TanStack/query',
    commit: '9c07aae7eb13debabe22b07329cb1fb4202565f0',
    file: 'packages/react-query/src/__tests__/useInfiniteQuery.test.tsx',
    test: null,
    kind: 'order',
    mends: 'asserts what is rendered instead of a list of all states',
  },
  {
    repository: 'TanStack/query',
    commit: 'fc98d3109fc16d49281af8a655b8873717b59a8f',
    file: 'packages/react-query/src/__tests__/useQuery.test.tsx',
    test: null,
    kind: 'sleep against an operation',
    mends: 'waits for the rendered text instead of collecting states',
  },
  {
    repository: 'TanStack/query',
    commit: 'f6023ff0fb2acaa82d7877c4f8e8367bfc93e9a6',
    file: 'packages/react-query/src/__tests__/useQuery.test.tsx',
    test: null,
    kind: 'sleep against an operation',
    mends: 'waits for the rendered text instead of 5 and 20 ms',
  },
  {
    repository: 'vercel/swr',
    commit: 'e932c9492278ddeffc2f29edef28d1ba6f17115c',
    file: 'test/use-swr-suspense.test.tsx',
    test: null,
    kind: 'order',
    mends: 'asserts the calls of a render function instead of a list filled by effects',
  },
  {
    repository: 'vercel/swr',
    commit: 'd4f441198b4e7bfa662274c5ac10f4a6c9cb73dc',
    file: 'test/use-swr-focus.test.tsx',
    test: null,
    kind: 'sleep against an operation',
    mends: 'sleeps 100 ms more before the event of focus',
  },
  {
    repository: 'caolan/async',
    commit: 'b40ece78ac5195cd010960ace46833a48d84d3db',
    file: 'mocha_test/detect.js',
    test: null,
    kind: 'sleep against an operation',
    mends: '50 ms instead of 25',
  },
  {
    repository: 'caolan/async',
    commit: '81d66dd219f62bb24fc3ca684236bdddc4cc4267',
    file: 'mocha_test/retry.js',
    test: null,
    kind: 'clock',
    mends: 'durations may be shorter by a millisecond a try',
  },
  {
    repository: 'animir/node-rate-limiter-flexible',
    commit: '07fa594f73daa3b44dcf3f839be843de7e7cf831',
    file: 'test/component/BlockedKeys/BlockedKeys.test.js',
    test: null,
    kind: 'clock',
    mends: 'looks 1,100 ms after a block of one second instead of 1,001 ms',
  },
  {
    repository: 'fastify/under-pressure',
    commit: 'e3a1963aefbfeb4a627b148d8c15a13e0fb46390',
    file: 'test/',
    test: null,
    kind: 'load',
    mends: 'sends the requests from a process of their own',
  },
]
