/**
 * The tests of packages that speak over sockets, from checkouts (`--suites`), that do not pass
 * under every schedule.
 */
import type { Expected } from './expected-kinds.ts'

const payload = (method: string) => [
  `${method} can be created`,
  `${method} without schema can be created`,
  `${method} with body and querystring`,
  `${method} with bodyLimit option`,
  `${method} can be created (2)`,
]

export const SOCKETS: readonly Expected[] = [
  {
    kind: 'time bound',
    package: 'fastify',
    file: 'test/close-pipelining.test.js',
    tests: ['Should return 503 while closing - pipelining'],
    message: /503 !== 200|'rejected'/,
    reason: 'counts on a second request to arrive before the first is answered',
  },
  {
    kind: 'stream bound',
    package: 'fastify',
    file: 'test/close.test.js',
    tests: [
      'Current opened connection should NOT continue to work after closing and return "connection: close" header - return503OnClosing: false',
    ],
    message: /The input did not match/,
    reason: 'reads the head of a response from the first chunk',
  },
  {
    kind: 'stream bound',
    package: 'fastify',
    file: 'test/max-requests-per-socket.test.js',
    tests: ['maxRequestsPerSocket', 'maxRequestsPerSocket zero should behave same as null'],
    message: /did not match the regular expression/,
    reason: 'takes the first chunk for the whole response',
  },
  {
    kind: 'stream bound',
    package: 'fastify',
    file: 'test/reply-error.test.js',
    tests: ['Should set the response from client error handler'],
    message: /plan expected 5 assertions but received 6/,
    reason:
      'counts clientError once: a server emits it for each chunk of a request that is no HTTP, also on stock Node',
  },
  ...['patch', 'put', 'options'].flatMap((method) =>
    [`${method}.test.js`, `${method}.error-handler.test.js`].map(
      (file): Expected => ({
        kind: 'limit',
        package: 'fastify',
        file: `test/${file}`,
        tests: payload(method.toUpperCase()),
        message: /Failed/,
        reason:
          'adds routes after listen(), before the next tick: node:test runs such tests while the file loads, the bench after the first tick',
      }),
    ),
  ),
  ...['json', 'raw', 'text', 'urlencoded'].map(
    (parser): Expected => ({
      kind: 'stream bound',
      package: 'express',
      file: `test/express.${parser}.js`,
      tests: [`express.${parser}() › with limit option › should not error when inflating`],
      message: /expected 413 "Payload Too Large", got 400 "Bad Request"/,
      reason:
        'counts on a compressed body, cut short, to arrive in one chunk: stock Node too answers 400 if the last of two is inflated as the end',
    }),
  ),
  {
    kind: 'time bound',
    package: 'express',
    file: 'test/res.sendFile.js',
    tests: ['res › .sendFile(path, fn) › should invoke the callback when client aborts'],
    message: /assert\.ok\(err\)/,
    reason:
      'counts on an abort of the client to arrive before a small file is read, as it does where nothing is in between',
  },
  {
    kind: 'time bound',
    package: 'koa',
    file: '__tests__/response/writable.test.js',
    tests: [
      'res.writable › when socket closed before response sent › should not be writable',
      'res.writable › when response finished › should not be writable',
    ],
    message: /evaluated to a falsy value/,
    reason: 'counts on a request to arrive within 5 ms',
  },
  {
    kind: 'fixed order',
    package: 'piscina',
    file: 'test/messages.test.js',
    tests: ['Pool receive message from workers'],
    message: /deadlock/,
    reason:
      'counts on a message before a result, which comes through another port: libuv visits their handles one by one (uv__async_io), and after the result the pool keeps nothing alive',
  },
  {
    kind: 'time bound',
    package: 'piscina',
    file: 'test/test-uncaught-exception-from-handler.test.js',
    tests: ['uncaught exception in immediate after task yields error event'],
    message: /not_caught/,
    reason: 'counts on the result of a worker to arrive within 5 ms',
  },
  {
    kind: 'limit',
    package: 'piscina',
    file: 'test/thread-count.test.js',
    tests: ['will start with minThreads and max out at maxThreads'],
    message: /processor time/,
    reason: 'its workers loop without end until they are terminated; norn runs all threads in one',
  },
  {
    kind: 'limit',
    package: 'piscina',
    file: 'test/test-resourcelimits.test.js',
    tests: ['resourceLimits causes task to reject'],
    message: /out of memory/,
    reason: 'a worker allocates without end until its own heap is full; norn has one heap for all threads',
  },
  {
    kind: 'limit',
    package: 'undici',
    file: 'test/client-request.js',
    tests: ['request dump with abort signal'],
    message: /falsy value/,
    reason: 'names each line of the stack of an abort, where norn has a frame',
  },
  {
    kind: 'stream bound',
    package: 'undici',
    file: 'test/client-keep-alive.js',
    tests: [
      'keep-alive header',
      'keep-alive header 0',
      'keep-alive header 1',
      'keep-alive header no postfix',
      'keep-alive not timeout',
      'keep-alive threshold',
      'keep-alive max keepalive',
    ],
    message: /read ECONNRESET/,
    reason: 'sends more than the response: the rest, if it comes later, meets a client that has closed',
  },
  {
    kind: 'time bound',
    package: 'undici',
    file: 'test/client-pipelining.js',
    tests: ['A client should enqueue as much as twice its pipelining factor'],
    message: /seen more than one parallel request|unexpected disconnect/,
    reason: 'counts on the second of two pipelined requests to arrive while the first takes 10 ms',
  },
  {
    kind: 'stream bound',
    package: 'undici',
    file: 'test/client-upgrade.js',
    tests: ['basic upgrade', 'basic upgrade promise'],
    reason: 'answers each chunk of the request as if it were the whole',
  },
  {
    kind: 'stream bound',
    package: 'undici',
    file: 'test/client.js',
    tests: ['300 requests succeed'],
    message: /'a' !== 'asd'/,
    reason: 'takes the first chunk of a body for the whole',
  },
  {
    kind: 'stream bound',
    package: 'undici',
    file: 'test/client.js',
    tests: ['async iterator empty chunk continues'],
    message: /'world' !== /,
    reason: 'takes each chunk of a body for what was written',
  },
  {
    kind: 'limit',
    package: 'undici',
    file: 'test/client.js',
    tests: ['regular iterator error from server closes early'],
    message: /processor time/,
    reason: 'awaits half a million times while it fills the buffers of a connection with three bytes at a time',
  },
  {
    kind: 'finding',
    package: 'undici',
    file: 'test/fetch/issue-2898.js',
    tests: ['421 requests with a body work as expected'],
    message: /fetch failed/,
    reason:
      'if a response 421 has not arrived as a whole, giving up its connection ends the fetch, and the second request goes without its body: also on stock Node, corrected in 8.12.4',
  },
  {
    kind: 'limit',
    package: 'undici',
    file: 'test/fetch/pull-dont-push.js',
    tests: ["pull dont't push"],
    message: /processor time/,
    reason: 'fills the buffers of a connection with half a million chunks of one byte',
  },
  {
    kind: 'fixed order',
    package: 'undici',
    file: 'test/http2-body.js',
    tests: ['Should handle h2 request with body (iterable)'],
    message: /!== 'hello'/,
    reason: 'counts on the body of a request, sent in pieces, to arrive before a response that does not wait for it',
  },
  {
    kind: 'fixed order',
    package: 'undici',
    file: 'test/http2-dispatcher.js',
    tests: ['Dispatcher#Connect'],
    message: /ClientDestroyedError/,
    reason:
      'counts on the end of a response to arrive before the end of the request: after it, closing the client destroys a stream that is not yet closed, also on stock Node if the response is late',
  },
  {
    kind: 'limit',
    package: 'undici',
    file: 'test/http2-goaway-refusal-storm.js',
    tests: ['a refused h2 origin must not starve unrelated work in the process'],
    message: /processor time/,
    reason: 'makes as many requests as two seconds of the clock allow, which in virtual time are too many',
  },
  {
    kind: 'fixed order',
    package: 'undici',
    file: 'test/http2-pipelining-default.js',
    tests: ['fetch POST bodies dispatch concurrently on the same h2 session instead of serializing (#5494)'],
    message: /2 !== 1/,
    reason:
      'counts on the settings of a server to arrive before a request arrives there: until they do, undici opens a second session',
  },
  {
    kind: 'finding',
    package: 'undici',
    file: 'test/interceptors/cache.js',
    tests: ['Cache Interceptor › stores response with max-age=0 and etag, revalidates it on reuse'],
    message: /0 !== 1/,
    reason:
      'in the first millisecond of a second a response with max-age=0 is not stale yet: also on stock Node, corrected in 8.12.4',
  },
  {
    kind: 'stream bound',
    package: 'undici',
    file: 'test/pool.js',
    tests: ['300 requests succeed'],
    message: /'a' !== 'asd'/,
    reason: 'takes the first chunk of a body for the whole',
  },
  {
    kind: 'stream bound',
    package: 'undici',
    file: 'test/pool.js',
    tests: ['pool upgrade', 'pool upgrade promise'],
    message: /BodyHTTP/,
    reason: 'answers each chunk of the request as if it were the whole',
  },
  {
    kind: 'time bound',
    package: 'undici',
    file: 'test/pool.js',
    tests: ['pool connect with clientTtl specified'],
    message: /client closed after ttl/,
    reason: 'counts on the other end to have closed the connection within 10 ms',
  },
  {
    kind: 'stream bound',
    package: 'ws',
    file: 'test/websocket.test.js',
    tests: [
      'WebSocket › Connection establishing › request can be aborted when unexpected response is sent by server',
      'WebSocket › #close › can be called from an error listener while connecting',
      'WebSocket › #terminate › can be called from an error listener while connecting',
      'WebSocket › permessage-deflate › #terminate › can be used while data is being decompressed',
      'WebSocket › #close › sends the close status code only when necessary',
    ],
    reason: 'counts on what one call writes to be read at once',
  },
  {
    kind: 'fixed order',
    package: 'ws',
    file: 'test/websocket.test.js',
    tests: [
      'WebSocket › permessage-deflate › consumes all received data when connection is closed (1/2)',
      'WebSocket › permessage-deflate › consumes all received data when connection is closed (2/2)',
      'WebSocket › permessage-deflate › handles a close frame received while compressing data',
    ],
    reason: 'counts on zlib, in the thread pool, to be slower than the other end of the connection',
  },
]
