/**
 * The tests that do not pass in the world, each with its reason. The list is exact: another failure
 * is unexplained, and an entry that no longer fails is reported.
 */
import type { TestOutcome } from './examine.ts'
import type { Expected } from './expected-kinds.ts'
import { SOCKETS } from './expected-of-sockets.ts'

const EXPECTED: readonly Expected[] = [
  ...SOCKETS,
  {
    kind: 'finding',
    package: 'avvio',
    file: 'test/plugin-timeout.test.js',
    tests: ['nested timeout do not crash - await'],
    message: /deadlock/,
    reason:
      'when the outer plugin times out before the inner one, the outer one is blamed, and avvio swallows the error of the assertion',
  },
  {
    kind: 'finding',
    package: 'avvio',
    file: 'test/plugin-timeout-await.test.js',
    tests: ['do not load'],
    message: /Plugin did not start in time: 'first'/,
    reason: 'when the outer plugin times out before the inner one, the outer one is blamed',
  },
  {
    kind: 'time bound',
    package: 'async',
    file: 'test/race.js',
    tests: ['race › should callback with the first error'],
    message: /'ERR\d' !== 'ERR5'/,
    reason: 'counts on timers of 40 and 42 ms, set after one another, to fire in that order',
  },
  {
    kind: 'time bound',
    package: 'bottleneck',
    file: 'test/batcher.js',
    tests: [
      'Batcher › Should batch by time and size',
      'Batcher › Should batch by time',
      'Batcher › Should batch by size',
      'Batcher › Should stagger flushes',
      'Batcher › Should force then stagger flushes',
    ],
    reason: 'holds durations to 50 ms, and says in which 50 ms a batch comes',
  },
  {
    kind: 'time bound',
    package: 'bottleneck',
    file: 'test/general.js',
    tests: [
      'General › Counts and statuses › Should return the running and done counts',
      'General › Counts and statuses › Should return job statuses',
      'General › Counts and statuses › Should return job statuses, including DONE',
      'General › Counts and statuses › Should return jobs for a status',
      'General › Counts and statuses › Should trigger events on status changes',
      'General › Events › Should fire events on empty queue',
      'General › High water limit › Should support highWater set to 1',
      'General › Weight › Should not add jobs with a weight above the maxConcurrent',
      'General › Weight › Should overflow at the correct rate',
      'General › Expiration › Should cancel jobs',
      'General › Reservoir Refresh › Should auto-refresh the reservoir',
      'General › Reservoir Refresh › Should allow staggered X by Y type usage',
      'General › Reservoir Increase › Should auto-increase the reservoir',
      'General › Reservoir Increase › Should auto-increase the reservoir up to a maximum',
      'General › Reservoir Increase › Should allow staggered X by Y type usage',
    ],
    message: /(Duration|duration) [<>] /,
    reason: 'holds a duration to within 50 ms',
  },
  {
    kind: 'time bound',
    package: 'bottleneck',
    file: 'test/general.js',
    tests: [
      'General › Counts and statuses › Should check() and return the queued count with and without a priority value',
    ],
    message: /strA === strB/,
    reason: 'counts who waits after a dozen timers of 1 ms, while jobs start 100 ms apart',
  },
  {
    kind: 'time bound',
    package: 'bottleneck',
    file: 'test/general.js',
    tests: [
      'General › Counts and statuses › Should return job statuses',
      'General › Counts and statuses › Should return job statuses, including DONE',
      'General › Counts and statuses › Should return jobs for a status',
      'General › Counts and statuses › Should trigger events on status changes',
    ],
    message: /strA === strB/,
    reason: 'says what a chain of timers has done after 50 ms',
  },
  {
    kind: 'time bound',
    package: 'bottleneck',
    file: 'test/general.js',
    tests: ['General › Weight › Should support custom job weights'],
    reason:
      'counts on three timers of 100 ms, set after one another, to fire before what is set when the first has fired',
  },
  {
    kind: 'time bound',
    package: 'bottleneck',
    file: 'test/priority.js',
    tests: ['Priority › Should support OVERFLOW_PRIORITY'],
    message: /callsDuration/,
    reason: 'holds a duration to within 50 ms',
  },
  {
    kind: 'finding',
    package: 'bottleneck',
    file: 'test/priority.js',
    tests: ['Priority › Should support LEAK'],
    message: /deadlock/,
    reason: 'a job that is being started is dropped, and another one is lost',
  },
  {
    kind: 'time bound',
    package: 'bottleneck',
    file: 'test/promises.js',
    tests: ['Promises › Should get rejected when rejectOnDrop is true'],
    message: /callsDuration/,
    reason: 'holds a duration to within 50 ms',
  },
  {
    kind: 'time bound',
    package: 'bottleneck',
    file: 'test/promises.js',
    tests: ['Promises › Wrap › Should allow passing options'],
    message: /strA === strB/,
    reason: 'counts on six jobs to be queued, by a timer each, before the third starts after 100 ms',
  },
  {
    kind: 'time bound',
    package: 'bottleneck',
    file: 'test/retries.js',
    tests: [
      'Retries › Should retry when requested by the user (sync)',
      'Retries › Should retry when requested by the user (async)',
    ],
    message: /elapsed < 130/,
    reason: 'holds a duration to within 30 ms',
  },
  {
    kind: 'time bound',
    package: 'bottleneck',
    file: 'test/stop.js',
    tests: ['Stop › Should stop and drop the queue'],
    message: /strA === strB/,
    reason: 'counts jobs after 125 ms, while they start 100 ms apart',
  },
  {
    kind: 'early timer',
    package: 'p-map',
    file: 'test.js',
    tests: ['pMapIterable - concurrency: 2'],
    message: /≰/,
    reason: 'wants 200 ms of timers to last no less by performance.now(); on stock Node it fails now and then too',
  },
  {
    kind: 'finding',
    package: 'sonic-boom',
    file: 'test/flush.test.js',
    tests: ['destroy with a write in flight completes a pending flush once the data is written'],
    message: /EBADF: bad file descriptor, write/,
    reason: 'destroy() closes the descriptor while a write to it is under way',
  },
  {
    kind: 'finding',
    package: 'sonic-boom',
    file: 'test/flush.test.js',
    tests: ['destroy while reopening fails a pending flush'],
    message: /EBADF: bad file descriptor, close/,
    reason: 'destroy() and reopen() both close the old descriptor',
  },
  {
    kind: 'too heavy',
    package: 'sonic-boom',
    file: 'test/sync.test.js',
    tests: ['write enormously large buffers sync'],
    reason: 'writes 512 MB in half a million calls: an execution may take 10 s',
  },
  {
    kind: 'too heavy',
    package: 'sonic-boom',
    file: 'test/write.test.js',
    tests: ['write enormously large buffers async', 'write enormously large buffers async atomicly'],
    reason: 'writes 512 MB in half a million calls: an execution may take 10 s',
  },
]

/**
 * The entry that explains a failure of a test. @param message undefined for a test that is not run
 */
export function expectation(
  { file, test }: Pick<TestOutcome, 'file' | 'test'>,
  message?: string,
): Expected | undefined {
  return EXPECTED.find(
    (each) =>
      each.package === file.package &&
      each.file === file.name &&
      each.tests.includes(test) &&
      (message === undefined || each.message === undefined || each.message.test(message)),
  )
}

/** Entries for tests that ran and did not fail as listed. */
export function stale(outcomes: readonly TestOutcome[]): string[] {
  return EXPECTED.filter(({ kind }) => kind !== 'too heavy').flatMap((each) =>
    outcomes
      .filter(({ file, test }) => each.package === file.package && each.file === file.name && each.tests.includes(test))
      .filter((outcome) => !outcome.failures.some(({ message }) => expectation(outcome, message) === each))
      .map(
        ({ file, test }) => `${file.package} ${file.name} '${test}': expected to fail, and did not (${each.reason})`,
      ),
  )
}
