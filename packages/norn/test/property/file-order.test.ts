/** Tests of a file in one execution: their order, their hooks, and how each ends. */
import { afterEach, describe, expect, it } from 'vitest'
import { type CurrentExecution, setCurrentExecution } from '../../src/property/current.ts'
import { runInFileOrder, type TestObserver } from '../../src/property/file-order.ts'
import { type Action, type Settings, SkippedItself, SuiteCollection } from '../../src/property/suites.ts'

/** Runs what is declared, with an observer that goes on. Returns what happened, in order. */
async function run(declare: (suites: SuiteCollection, log: (entry: string) => Action) => void): Promise<string[]> {
  const happened: string[] = []
  const suites = new SuiteCollection()
  declare(suites, (entry) => () => void happened.push(entry))
  const observer: TestObserver = {
    begins: () => {},
    fails: ({ name }, error) => {
      happened.push(`${name} fails: ${(error as Error).message}`)
      return true
    },
    skips: ({ name }) => happened.push(`${name} skips itself`),
    retried: ({ name }, attempt) => happened.push(`${name} passes at attempt ${attempt}`),
  }
  await runInFileOrder(suites.tests, observer)
  return happened
}

const declared = (body: Action, settings: Settings = {}) => ({ mode: 'run', settings, body, text: '' }) as const

const throwing = (message: string) => () => {
  throw new Error(message)
}

it('calls the hooks of a suite around its tests, and those of each test around it', async () => {
  const happened = await run((suites, log) => {
    suites.hook('beforeAll', log('all'))
    suites.hook('beforeEach', log('each'))
    suites.test('first', declared(log('first')))
    suites.suite('inner', 'run', {}, () => {
      suites.hook('beforeAll', log('inner all'))
      suites.hook('afterAll', log('inner done'))
      suites.test('second', declared(log('second')))
      suites.test('third', declared(log('third')))
    })
    suites.hook('afterAll', log('done'))
  })
  expect(happened).toEqual([
    ...['all', 'each', 'first', 'inner all', 'each', 'second', 'each', 'third', 'inner done', 'done'],
  ])
})

it('goes on behind a test that fails, and fails the tests of a suite that cannot begin', async () => {
  const happened = await run((suites, log) => {
    suites.test('a', declared(throwing('no')))
    suites.suite('s', 'run', {}, () => {
      suites.hook('beforeAll', throwing('no server'))
      suites.test('b', declared(log('b')))
    })
    suites.test('c', declared(log('c')))
  })
  expect(happened).toEqual(['a fails: no', 's > b fails: no server', 'c'])
})

describe('a test', () => {
  it('that is declared to fail passes if it does', async () => {
    const happened = await run((suites, log) => {
      suites.test('fails', declared(throwing('as declared'), { fails: true }))
      suites.test('passes', declared(log('ran'), { fails: true }))
    })
    expect(happened).toEqual(['ran', 'passes fails: the test passes, but is declared to fail'])
  })

  it('has the attempts that its author allows, or its suite', async () => {
    let attempts = 0
    const happened = await run((suites) => {
      suites.suite('s', 'run', { retry: 2 }, () => {
        suites.test(
          'third time',
          declared(() => ++attempts < 3 && throwing('not yet')()),
        )
        suites.test('never', declared(throwing('never'), { retry: 1 }))
      })
    })
    expect(happened).toEqual(['s > third time passes at attempt 3', 's > never fails: never'])
  })

  it('may skip itself', async () => {
    const happened = await run((suites, log) => {
      suites.test(
        'a',
        declared(() => Promise.reject(new SkippedItself())),
      )
      suites.test('b', declared(log('b')))
    })
    expect(happened).toEqual(['a skips itself', 'b'])
  })
})

it('runs concurrent neighbours at the same time', async () => {
  const order: string[] = []
  await run((suites) => {
    for (const name of ['a', 'b']) {
      const body = async () => {
        order.push(`${name} begins`)
        await null
        order.push(`${name} ends`)
      }
      suites.test(name, declared(body, { isConcurrent: true }))
    }
  })
  expect(order).toEqual(['a begins', 'b begins', 'a ends', 'b ends'])
})

describe('a timeout', () => {
  afterEach(() => setCurrentExecution(undefined))

  it.each([
    [50, ['t fails: the test takes longer than its timeout of 50 ms']],
    [100, []],
    [Number.POSITIVE_INFINITY, []],
  ])('of %s ms is virtual time', async (timeoutMs, happened) => {
    let us = 0
    setCurrentExecution(() => ({ elapsedUs: () => us }) as CurrentExecution)
    const body = async () => {
      us += 100_000
    }
    expect(await run((suites) => suites.test('t', declared(body, { timeoutMs })))).toEqual(happened)
  })
})
