/**
 * How norn treats each builtin module, function by function: the source of docs/builtins.md,
 * checked by tests against the running Node. Modules that are not listed are rejected by name.
 *
 * Covers Node 22.15 to 26; names that a Node lacks are ignored. Functions are listed where a module
 * can be asynchronous or vary between runs; elsewhere the module alone.
 */

/**
 * - `controlled`: determined by the program and the tape. The tape draws its latency.
 * - `gated`: the tape decides when; the value is the real one, and varies between runs.
 * - `uncontrolled`: makes the execution inconclusive, by the name listed here.
 * - `plain`: needs no control. The same arguments give the same result at once, on one machine.
 */
export type Kind = 'controlled' | 'gated' | 'uncontrolled' | 'plain'

export const KINDS: readonly Kind[] = ['controlled', 'gated', 'uncontrolled', 'plain']

/** Names of functions and classes by kind, separated by spaces; or the kind of the whole module. */
export interface Builtin extends Readonly<Partial<Record<Kind, string>>> {
  readonly is?: Kind
  /** Shown below the names in docs/builtins.md. */
  readonly note?: string
}

const ASSERT: Builtin = { is: 'plain' }
const PATH: Builtin = { is: 'plain' }
const UTIL: Builtin = {
  is: 'plain',
  note: '`promisify`, `aborted`, `debounce` and `throttle` wait for timers and events, which are controlled.',
}

const RESOLVE =
  'resolve resolve4 resolve6 resolveAny resolveCaa resolveCname resolveMx resolveNaptr resolveNs resolvePtr ' +
  'resolveSoa resolveSrv resolveTlsa resolveTxt reverse'
const DNS: Builtin = {
  controlled: `lookup lookupService Resolver getServers setServers setDefaultResultOrder ${RESOLVE}`,
  plain: 'getDefaultResultOrder',
  note:
    'The world knows `localhost`, the name of the machine and the option `hosts` of the property; any other name fails ' +
    'with `ENOTFOUND`. Queries to a name server that is a socket of the program are uncontrolled.',
}

const INSPECTOR: Builtin = { uncontrolled: 'open close waitForDebugger Session', plain: 'url' }

const STREAM: Builtin = {
  controlled:
    'Readable Writable Duplex Transform PassThrough Stream duplexPair pipeline addAbortSignal finished destroy compose',
  plain:
    'isDestroyed isDisturbed isErrored isReadable isWritable setDefaultHighWaterMark getDefaultHighWaterMark ' +
    '_isArrayBufferView _isUint8Array _uint8ArrayToBuffer',
}

/** Functions of `fs` that exist with a callback and with a `Sync` suffix. */
const FILES =
  'appendFile access chown chmod close copyFile cp exists fchown fchmod fdatasync fstat fsync ftruncate futimes glob ' +
  'lchown link lstat lutimes mkdir mkdtemp open readdir read readv readFile readlink realpath rename rm rmdir stat ' +
  'statfs symlink truncate unlink utimes writeFile write writev opendir'

export const BUILTINS: Readonly<Record<string, Builtin>> = {
  assert: ASSERT,
  'assert/strict': ASSERT,
  async_hooks: { is: 'controlled', note: 'Norn disables enabled hooks after the execution.' },
  buffer: { controlled: 'Blob File', plain: 'Buffer SlowBuffer transcode isUtf8 isAscii btoa atob resolveObjectURL' },
  child_process: {
    controlled: 'exec execFile execFileSync execSync fork spawn spawnSync ChildProcess',
    uncontrolled: '_forkChild',
    note:
      'Node itself runs in the same thread, with its own modules and process; run synchronously it is ' +
      'uncontrolled, and so are options that load modules and pipes beyond the standard streams. Stand-ins play ' +
      'other programs: the option `commands` of the property. A program without a stand-in is uncontrolled, and ' +
      'so are files that a child shares.',
  },
  cluster: {
    controlled: 'fork',
    plain: 'Worker setupPrimary setupMaster disconnect',
    note: 'The script that runs the test is no worker: name one of your own with `setupPrimary({ exec })`.',
  },
  console: { is: 'controlled', note: 'Output is kept with the execution.' },
  constants: { is: 'plain' },
  crypto: {
    controlled:
      'checkPrime checkPrimeSync hkdf hkdfSync pbkdf2 pbkdf2Sync scrypt scryptSync argon2 argon2Sync generateKey ' +
      'generateKeySync randomBytes randomFill randomFillSync randomInt randomUUID randomUUIDv7 getRandomValues verify ' +
      'decapsulate',
    gated:
      'generateKeyPair generateKeyPairSync generatePrime generatePrimeSync sign createSign Sign createECDH ECDH ' +
      'createDiffieHellman DiffieHellman createDiffieHellmanGroup getDiffieHellman DiffieHellmanGroup diffieHellman ' +
      'publicEncrypt encapsulate',
    uncontrolled: 'setEngine setFips',
    plain:
      'createCipheriv createDecipheriv createHash createHmac createMac createPrivateKey createPublicKey createSecretKey ' +
      'createVerify getCiphers getCipherInfo getCurves getHashes getMacs privateDecrypt privateEncrypt publicDecrypt ' +
      'timingSafeEqual getFips hash Certificate Cipheriv Decipheriv Hash Hmac KeyObject Verify X509Certificate ' +
      'secureHeapUsed parsePKCS12',
    note:
      'The tape draws random bytes, UUIDs and secret keys, in `crypto.subtle` too. OpenSSL draws key pairs, primes, and ' +
      'the random numbers of signatures and of encryption with a public key: these are gated.',
  },
  dgram: {
    controlled: 'createSocket Socket _createSocketHandle',
    note:
      'Datagrams reach the sockets of the program. Those of one socket to another keep their order; a datagram is lost if the ' +
      "receiver's buffer is full.",
  },
  diagnostics_channel: { is: 'controlled', note: 'Norn ends subscriptions after the execution.' },
  dns: DNS,
  'dns/promises': DNS,
  domain: { is: 'plain' },
  events: {
    controlled: 'once on EventEmitter EventEmitterAsyncResource addAbortListener',
    plain: 'getEventListeners getMaxListeners setMaxListeners init listenerCount',
  },
  ffi: { is: 'uncontrolled', note: 'The import is uncontrolled.' },
  fs: {
    controlled:
      `${FILES} ${FILES.replaceAll(/(\S+)/g, '$1Sync').replace('cpSync ', '')} createReadStream createWriteStream ` +
      'ReadStream WriteStream FileReadStream FileWriteStream Dir Utf8Stream mkdtempDisposableSync ' +
      'watch watchFile unwatchFile',
    uncontrolled: 'cpSync openAsBlob openAsBlobSync',
    plain: 'Dirent Stats _toUnixTimestamp',
    note:
      'Works on an overlay over the real disk, which norn never writes. Watchers report the changes that the program ' +
      'makes, as on Linux.',
  },
  'fs/promises': {
    controlled:
      'access copyFile cp glob open opendir rename truncate rm rmdir mkdir readdir readlink symlink lstat stat statfs ' +
      'link unlink chmod lchown chown utimes lutimes realpath mkdtemp mkdtempDisposable writeFile appendFile readFile ' +
      'watch',
    plain: 'lchmod',
  },
  http: {
    controlled: 'get request createServer Server ClientRequest WebSocket',
    uncontrolled: 'setGlobalProxyFromEnv',
    plain:
      'Agent IncomingMessage OutgoingMessage ServerResponse _connectionListener validateHeaderName ' +
      'validateHeaderValue setMaxIdleHTTPParsers CloseEvent MessageEvent',
  },
  http2: {
    controlled: 'connect createServer createSecureServer performServerHandshake',
    plain: 'getDefaultSettings getPackedSettings getUnpackedSettings Http2ServerRequest Http2ServerResponse',
    note:
      'nghttp2 itself, over sockets of the world or any `Duplex`. Its limits on the rate of resets and of suspicious ' +
      'frames (a thousand at once) count real seconds.',
  },
  https: { controlled: 'get request createServer Server', plain: 'Agent', note: 'As `http` over `tls`.' },
  inspector: INSPECTOR,
  'inspector/promises': INSPECTOR,
  module: {
    uncontrolled: 'register registerHooks enableCompileCache flushCompileCache setSourceMapsSupport',
    plain:
      'isBuiltin createRequire syncBuiltinESMExports Module findPackageJSON stripTypeScriptTypes getCompileCacheDir ' +
      'findSourceMap SourceMap getSourceMapsSupport runMain _debug _findPath _nodeModulePaths _resolveLookupPaths _load ' +
      '_resolveFilename _initPaths _preloadModules',
  },
  net: {
    controlled: 'connect createConnection createServer Server Socket Stream BoundSocket _createServerHandle',
    plain:
      'BlockList SocketAddress isIP isIPv4 isIPv6 getDefaultAutoSelectFamily setDefaultAutoSelectFamily ' +
      'getDefaultAutoSelectFamilyAttemptTimeout setDefaultAutoSelectFamilyAttemptTimeout ' +
      '_normalizeArgs _setSimultaneousAccepts _TransferredBoundSocket',
    note:
      'The network has this machine and the hosts of the property: norn draws the latencies of connections, bytes and ' +
      'ends, and opens no socket. A failure for lack of a server, such as a database, is inconclusive. ' +
      'A connection to any other address is uncontrolled, and so are sockets over file descriptors.',
  },
  os: {
    controlled: 'uptime loadavg freemem cpus networkInterfaces',
    uncontrolled: 'setPriority',
    plain:
      'arch availableParallelism endianness getPriority homedir hostname platform release tmpdir ' +
      'totalmem type userInfo version machine',
  },
  path: PATH,
  'path/posix': PATH,
  'path/win32': PATH,
  perf_hooks: {
    controlled:
      'Performance PerformanceEntry PerformanceMark PerformanceMeasure PerformanceObserverEntryList ' +
      'PerformanceResourceTiming eventLoopUtilization createHistogram createSlidingWindowHistogram importHistogram',
    uncontrolled: 'PerformanceObserver monitorEventLoopDelay timerify',
    note: 'An observer may observe marks, measures and fetches (`resource`), and garbage collections, of which it sees none; any other type is uncontrolled.',
  },
  process: {
    controlled:
      'uptime cpuUsage resourceUsage memoryUsage constrainedMemory availableMemory threadCpuUsage hrtime exit abort ' +
      'reallyExit nextTick emitWarning _tickCallback _fatalException setUncaughtExceptionCaptureCallback ' +
      'hasUncaughtExceptionCaptureCallback umask chdir cwd getActiveResourcesInfo ' +
      '_getActiveRequests _getActiveHandles openStdin',
    uncontrolled:
      'kill dlopen loadEnvFile execve setSourceMapsEnabled setuid setgid seteuid setegid setgroups initgroups _kill ' +
      '_debugProcess _debugEnd addUncaughtExceptionCaptureCallback',
    plain:
      'getuid geteuid getgid getegid getgroups assert getBuiltinModule binding _linkedBinding _rawDebug ref unref ' +
      '_startProfilerIdleNotifier _stopProfilerIdleNotifier',
    note: '`kill` with signal 0 tests for a process, and is controlled: only the program itself exists.',
  },
  punycode: { is: 'plain' },
  querystring: { is: 'plain' },
  readline: {
    controlled: 'Interface createInterface clearLine clearScreenDown cursorTo moveCursor emitKeypressEvents',
  },
  'readline/promises': { controlled: 'Interface Readline createInterface' },
  repl: { is: 'uncontrolled', note: 'The import is uncontrolled.' },
  sea: { is: 'plain', note: 'A program under norn is not a single executable.' },
  sqlite: {
    controlled: 'DatabaseSync',
    uncontrolled: 'backup',
    plain: 'StatementSync Session',
    note: 'Databases in memory and in files of the overlay, with the clock and the random numbers of the tape. Uncontrolled: `ATTACH`, `VACUUM INTO`, `loadExtension`.',
  },
  stream: STREAM,
  'stream/consumers': { controlled: 'arrayBuffer blob buffer text json bytes' },
  'stream/promises': { controlled: 'finished pipeline' },
  'stream/web': {
    controlled:
      'ReadableStream ReadableStreamDefaultReader ReadableStreamBYOBReader ReadableStreamBYOBRequest ' +
      'ReadableByteStreamController ReadableStreamDefaultController TransformStream TransformStreamDefaultController ' +
      'WritableStream WritableStreamDefaultWriter WritableStreamDefaultController ByteLengthQueuingStrategy ' +
      'CountQueuingStrategy TextEncoderStream TextDecoderStream CompressionStream DecompressionStream ReadableStreamTee',
  },
  string_decoder: { is: 'plain' },
  sys: UTIL,
  test: {
    uncontrolled: 'run',
    plain: 'test it describe suite before after beforeEach afterEach skip todo only expectFailure getTestContext',
    note:
      'Norn collects tests in place of its runner; a body cannot declare tests. `mock` and `assert` work, except ' +
      '`mock.timers` and `mock.module`, which are uncontrolled.',
  },
  'test/reporters': { is: 'plain' },
  timers: {
    controlled: 'setTimeout clearTimeout setImmediate clearImmediate setInterval clearInterval active _unrefActive',
    plain: 'enroll unenroll',
  },
  'timers/promises': { controlled: 'setTimeout setImmediate setInterval' },
  tls: {
    controlled: 'connect createServer Server TLSSocket',
    uncontrolled: 'setDefaultCACertificates',
    plain:
      'getCiphers getCACertificates convertALPNProtocols checkServerIdentity createSecurePair ' +
      'getCertificateCompressionAlgorithms SecureContext createSecureContext translatePeerCertificate',
    note:
      'OpenSSL draws its own random numbers, so the values of keys, tickets, session ids and `exportKeyingMaterial`, and ' +
      'the number of encrypted bytes, vary from run to run. Norn delays and cuts what is sent by record.',
  },
  trace_events: {
    uncontrolled: 'createTracing',
    plain: 'getEnabledCategories',
    note: 'Tracing is uncontrolled from `enable` on.',
  },
  tty: { uncontrolled: 'ReadStream WriteStream', plain: 'isatty' },
  url: { is: 'plain' },
  util: UTIL,
  'util/types': { is: 'plain' },
  v8: {
    controlled: 'getHeapStatistics getHeapSpaceStatistics getHeapCodeStatistics',
    uncontrolled:
      'writeHeapSnapshot getHeapSnapshot setHeapSnapshotNearHeapLimit setFlagsFromString queryObjects takeCoverage ' +
      'stopCoverage startCpuProfile startHeapProfile setHeapProfileNearHeapLimit GCProfiler getCppHeapStatistics',
    plain:
      'cachedDataVersionTag Serializer Deserializer DefaultSerializer DefaultDeserializer serialize deserialize ' +
      'isStringOneByteRepresentation',
  },
  vm: {
    controlled: 'Script createContext createScript runInContext runInNewContext runInThisContext compileFunction',
    uncontrolled: 'measureMemory',
    plain: 'isContext',
    note: 'In a new context `Date`, `Intl` and `Math.random` are controlled too.',
  },
  wasi: { uncontrolled: 'WASI' },
  worker_threads: {
    controlled:
      'Worker MessagePort MessageChannel BroadcastChannel receiveMessageOnPort setEnvironmentData getEnvironmentData',
    uncontrolled: 'moveMessagePortToContext postMessageToThread',
    plain: 'markAsUncloneable markAsUntransferable isMarkedAsUntransferable',
    note:
      "A worker runs in norn's own thread, with modules, globals and a process of its own; one that loops until it is terminated is reported as a hang. A message between two " +
      'threads takes a drawn time; in one thread it arrives in the next poll phase, as in Node. `resourceLimits` have no ' +
      'effect; `execArgv` that loads modules, heap snapshots and profiles of a worker are uncontrolled. ' +
      'A transferred stream uses messages.',
  },
  zlib: {
    controlled:
      'Deflate Inflate Gzip Gunzip DeflateRaw InflateRaw Unzip BrotliCompress BrotliDecompress ZstdCompress ' +
      'ZstdDecompress deflate deflateSync gzip gzipSync deflateRaw deflateRawSync unzip unzipSync inflate inflateSync ' +
      'gunzip gunzipSync inflateRaw inflateRawSync brotliCompress brotliCompressSync brotliDecompress ' +
      'brotliDecompressSync zstdCompress zstdCompressSync zstdDecompress zstdDecompressSync createDeflate createInflate ' +
      'createDeflateRaw createInflateRaw createGzip createGunzip createUnzip createBrotliCompress createBrotliDecompress ' +
      'createZstdCompress createZstdDecompress',
    uncontrolled: 'ZipFile createZipArchive zipFiles',
    plain: 'crc32 ZipEntry ZipBuffer createZipArchiveSync getMaxZipContentSize setMaxZipContentSize',
  },
}

/** Internal modules that Node still lets programs import. */
const INSIDE =
  '_http_agent _http_client _http_common _http_incoming _http_outgoing _http_server _stream_duplex _stream_passthrough ' +
  '_stream_readable _stream_transform _stream_wrap _stream_writable _tls_common _tls_wrap'

/** Globals that no module exports, and their methods where those differ. */
export const GLOBALS: Builtin = {
  controlled:
    'Date Intl Math.random performance AbortSignal.timeout queueMicrotask setTimeout setInterval setImmediate ' +
    'structuredClone MessageChannel BroadcastChannel crypto.subtle crypto.getRandomValues crypto.randomUUID ' +
    'WebAssembly.compile WebAssembly.instantiate WebAssembly.compileStreaming WebAssembly.instantiateStreaming ' +
    'Atomics.wait Atomics.waitAsync Atomics.notify CompressionStream DecompressionStream ReadableStream WritableStream ' +
    'TransformStream TextDecoderStream TextEncoderStream Blob Event.timeStamp FinalizationRegistry ' +
    'fetch WebSocket EventSource',
  uncontrolled: 'navigator.locks.request navigator.locks.query localStorage sessionStorage',
  note:
    '`Atomics.wait` is uncontrolled without a timeout, or beside other threads, unless it is in a loop that an async ' +
    'function calls last (piscina, tinypool). Finalizers of a `FinalizationRegistry` never run.',
}

/** The entry of a builtin module; undefined if it is not listed. */
export function builtinOf(id: string): Builtin | undefined {
  const name = id.replace(/^node:/, '')
  if (INSIDE.split(' ').includes(name)) return { is: 'plain', note: 'See its public module.' }
  return Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : undefined
}

/** Whether the import alone makes an execution inconclusive. */
export function isRefused(id: string): boolean {
  const builtin = builtinOf(id)
  return builtin === undefined || builtin.is === 'uncontrolled'
}

/** The names of one kind. */
export function namesOf(builtin: Builtin, kind: Kind): string[] {
  return builtin[kind]?.split(' ') ?? []
}
