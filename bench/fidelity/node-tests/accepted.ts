/** Where norn differs from stock Node on a test of Node, by its name, and why that is accepted: limits of norn. */
const GROUPS: readonly (readonly [reason: string, tests: readonly string[]])[] = [
  [
    'a thread or a child that loops until it is ended from outside is reported as a hang',
    [
      'parallel/test-cluster-kill-infinite-loop.js',
      'parallel/test-sigint-infinite-loop.js',
      'parallel/test-worker-message-port-terminate-transfer-list.js',
      'parallel/test-worker-nexttick-terminate.js',
      'parallel/test-worker-terminate-microtask-loop.js',
      'parallel/test-worker-terminate-ref-public-port.js',
      'parallel/test-worker-terminate-timers.js',
      'parallel/test-worker-vm-context-terminate.js',
      'sequential/test-next-tick-error-spin.js',
    ],
  ],
  [
    'Node warns once by a variable of its library, which a child or an earlier execution of the process shares',
    [
      'parallel/test-buffer-constructor-node-modules.js',
      'parallel/test-buffer-constructor-node-modules-paths.js',
      'parallel/test-dgram-deprecation-error.js',
      'parallel/test-module-strip-types.js',
      'parallel/test-timers-nan-duration-warning.js',
      'parallel/test-timers-negative-duration-warning.js',
      'parallel/test-url-parse-invalid-input.js',
    ],
  ],
  [
    'the process of executions begins without the listener that prints warnings',
    ['parallel/test-console.js', 'parallel/test-global-console-exists.js'],
  ],
  ['the property is no main module', ['sequential/test-module-loading.js']],
  ['the main module of a child does not begin by Module.runMain', ['parallel/test-module-run-main-monkey-patch.js']],
  ['a wait within Node takes no virtual time', ['parallel/test-fastutf8stream-flush-sync.js']],
  ['what C++ prints of a rejection is not printed', ['parallel/test-promise-reject-callback-exception.js']],
  [
    'tests of a file run one by one, and only all of them give what the file expects',
    ['parallel/test-assert-fail-deprecation.js'],
  ],
  ["its variables come from a comment that Node's runner of tests reads", ['parallel/test-parse-test-only-envs.js']],
  [
    "a context has a Date of norn's as a property of its own",
    [
      'parallel/test-vm-global-property-enumerator.js',
      'parallel/test-vm-ownkeys.js',
      'parallel/test-vm-ownpropertynames.js',
      'parallel/test-vm-ownpropertysymbols.js',
    ],
  ],
  ['what a script declares can be deleted, so that it ends with the execution', ['parallel/test-vm-not-strict.js']],
  [
    'threads share one loop, so one that sleeps is not idle by itself',
    ['parallel/test-perf-hooks-eventlooputilization.js', 'sequential/test-worker-eventlooputil.js'],
  ],
  ['the turns of the loop are not counted', ['parallel/test-performance-nodetiming-uvmetricsinfo.js']],
  ['a histogram is not sent to another port', ['parallel/test-perf-hooks-histogram.js']],
  ['process.argv0 cannot be defined anew', ['parallel/test-child-process-spawn-argv0.js']],
  ['its child needs internals of Node', ['parallel/test-child-process-recv-handle.js']],
  ['an error of an asynchronous job has the message of the synchronous one', ['parallel/test-crypto-encap-decap.js']],
  ['a package whose main is an absolute path is not found on the overlay', ['parallel/test-find-package-json.js']],
  ['a file handle is not sent to a thread', ['parallel/test-fs-promises-file-handle-read-worker.js']],
  ['destroy of a ping of HTTP/2 is not heard', ['parallel/test-http2-ping.js']],
  [
    'norn parses modules in the realm whose Object.prototype the program has given setters',
    ['parallel/test-module-prototype-mutation.js'],
  ],
  [
    'an uncaught error is a failure of the property, whatever exit code is set later',
    ['parallel/test-process-beforeexit-throw-exit.js'],
  ],
  ['what node:sqlite is given is checked after its file is opened', ['parallel/test-sqlite-database-sync.js']],
  ['a thread cannot wait for a lock that another thread of norn holds', ['parallel/test-sqlite-timeout.js']],
  [
    'the end of a connection whose bytes nobody read comes before its reset',
    ['parallel/test-tls-hello-parser-failure.js'],
  ],
  ['an uncaught error of a text is printed without its line', ['parallel/test-tracing-no-crash.js']],
  ["frames of Node between two ticks are norn's", ['parallel/test-util-callbackify.js']],
  [
    'text of a thread is no TypeScript, and its path is that of a data URL',
    ['parallel/test-worker-eval-typescript.js'],
  ],
  [
    'options of a thread are not those of a process of their own',
    [
      'parallel/test-worker-execargv.js',
      'parallel/test-worker-node-options.js',
      'parallel/test-worker-resource-limits.js',
      'sequential/test-cpu-prof-worker-argv.js',
    ],
  ],
  [
    'the native handle of a thread has no hook of its own',
    ['parallel/test-worker-hasref.js', 'parallel/test-worker-messageport-hasref.js'],
  ],
  ['a port that was closed still prints as active', ['parallel/test-worker-message-port-transfer-self.js']],
  ['it reads the source text of process.cwd', ['parallel/test-worker-process-cwd.js']],
  ['a text of a thread with import has no require', ['parallel/test-worker-track-unmanaged-fds.js']],
  [
    'process.exit of a thread is an error that its program can catch',
    ['parallel/test-worker-voluntarily-exit-followed-by-throw.js'],
  ],
  [
    'it changes a limit before node:zlib loads, which norn has loaded',
    [
      'parallel/test-zlib-brotli-kmaxlength-rangeerror.js',
      'parallel/test-zlib-kmaxlength-rangeerror.js',
      'parallel/test-zlib-zstd-kmaxlength-rangeerror.js',
    ],
  ],
]

export const ACCEPTED: Readonly<Record<string, string>> = Object.fromEntries(
  GROUPS.flatMap(([reason, tests]) => tests.map((name) => [name, reason])),
)
