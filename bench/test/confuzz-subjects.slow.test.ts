/**
 * The subjects of the confuzz suite are what they are said to be: each passes its zero input and
 * its example in the natural order, and fails in the order of its description, in which nothing
 * takes part but stock Node.
 */
import { basename } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { DEFAULT_PLAN } from '../../packages/norn/src/contract/plan.ts'
import { NOTHING } from '../../packages/norn/src/options/guide.ts'
import { Worker } from '../../packages/norn/src/process/worker.ts'
import { Searched } from '../confuzz/techniques.ts'
import { CONFUZZ, ROOT } from '../subjects/catalogue.ts'
import { FORBIDDEN } from '../subjects/confuzz/b2-texts.ts'
import { type Pool, threadPool } from '../subjects/confuzz/pool.ts'
import { type StockProperty, stockProperty } from '../trials/stock-property.ts'

/** Turns of the loop in which nothing happens, after which nothing will. */
const QUIET_TURNS = 20
/**
 * Turns of the loop in which a pause has to begin that is to end next: timers of a millisecond lie
 * before some.
 */
const PATIENCE = 1_000_000

/**
 * A pool whose pauses end in a given order, each when it has begun; they are numbered from 0 as
 * they begin.
 */
class ScriptedPool implements Pool {
  readonly #ends: (() => void)[] = []
  readonly exists = threadPool.exists
  readonly makeDirectory = threadPool.makeDirectory
  readonly pause = () => new Promise<void>((resolve) => this.#ends.push(resolve))

  /** Waits until so many pauses have begun. */
  async begun(count: number): Promise<void> {
    for (let turns = 0; this.#ends.length < count; turns++) {
      if (turns === PATIENCE) throw new Error(`pause ${count - 1} does not begin`)
      await turn()
    }
  }

  async end(order: readonly number[]): Promise<void> {
    for (const number of order) {
      await this.begun(number + 1)
      this.#ends[number]!()
      await turn()
    }
  }
}

async function property(name: string): Promise<StockProperty> {
  const { file } = CONFUZZ.find((subject) => subject.name === name)!
  return stockProperty({ file, subject: name })()
}

/**
 * Runs a body with its pauses ending in an order: `passed`, the message of its failure, or `hangs`.
 *
 * @param together how many pauses have to have begun before the first ends
 */
async function outcome(
  { body }: StockProperty,
  inputs: Record<string, unknown>,
  order: readonly number[],
  together = 0,
): Promise<string> {
  const pool = new ScriptedPool()
  let settled: string | undefined
  const run = async () => body(inputs, pool)
  run().then(
    () => {
      settled = 'passed'
    },
    (error: Error) => {
      settled = error.message.split('\n')[0]!
    },
  )
  await pool.begun(together)
  await pool.end(order)
  for (let turns = 0; turns < QUIET_TURNS && settled === undefined; turns++) await turn()
  return settled ?? 'hangs'
}

const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
]

describe.each([...new Set(CONFUZZ.map(({ file }) => basename(file)))])('%s', (name) => {
  test('passes its zero input and its example by default', async () => {
    const subjects = CONFUZZ.filter(({ file }) => basename(file) === name)
    const worker = new Worker({ file: subjects[0]!.file, root: ROOT, aliases: [] })
    try {
      const properties = await worker.list()
      expect(properties).toHaveLength(2 * subjects.length)
      for (const property of properties) {
        expect(await worker.execute(property, DEFAULT_PLAN)).toMatchObject({ verdict: 'passed' })
      }
    } finally {
      worker.close()
    }
  })
})

test('IR: the watcher of the first takes longer than the second takes to come', async () => {
  const ir = await property('IR')
  expect(await outcome(ir, {}, [0, 1])).toBe('passed')
  expect(await outcome(ir, {}, [1, 0, 2])).toContain('is told 2 times')
})

test('LWT: the first job of one list and the fifth of the other take as long as all the rest', async () => {
  const lwt = await property('LWT')
  const pauses = Array.from({ length: 60 }, (_, number) => number)
  expect(await outcome(lwt, {}, pauses)).toBe('passed')
  const late = [0, 9]
  const rest = pauses.filter((number) => !late.includes(number))
  expect(await outcome(lwt, {}, [...rest, ...late])).toBe('x = 1 and y = 5 came last')
  expect(await outcome(lwt, {}, [...rest.slice(0, -1), ...late, rest.at(-1)!])).toBe('passed')
})

describe('TCP: the answer is broadcast', () => {
  const delays = { asker_ms: 0, answer_ms: 0 }
  test('after the asker waits: it gets it', async () => {
    expect(await outcome(await property('TCP'), delays, [0, 1])).toBe('passed')
  })
  test('before the asker waits: it hangs', async () => {
    expect(await outcome(await property('TCP'), delays, [1, 0])).toBe('hangs')
  })
})

test('GHO: two requests for one name both find none, and for two names neither matters to the other', async () => {
  const gho = await property('GHO')
  expect(await outcome(gho, { names: ['alice', 'alice'] }, [0, 1])).toBe('alice is there 2 times')
  for (const order of ORDERS) expect(await outcome(gho, { names: ['alice', 'bobby', 'carol'] }, order)).toBe('passed')
})

test('PB: of two requests for one name one is lost, and of two for two names none', async () => {
  const pb = await property('PB')
  expect(await outcome(pb, { names: ['alice', 'alice'] }, [0, 1])).toBe('2 requests, 1 counted')
  for (const order of ORDERS) expect(await outcome(pb, { names: ['alice', 'bobby', 'carol'] }, order)).toBe('passed')
})

test('NKD: of two calls that both find their directory missing the second fails', async () => {
  const { body } = await property('NKD')
  const both = Promise.withResolvers<void>()
  let asked = 0
  const exists: Pool['exists'] = async (path) => {
    const answer = await threadPool.exists(path)
    asked++
    if (asked === 2) both.resolve()
    await both.promise
    return answer
  }
  await expect(body({ paths: [['a'], ['a']] }, { ...threadPool, exists })).rejects.toThrow('EEXIST')
  await body({ paths: [['a', 'b'], ['c']] }, threadPool)
})

test('CLF: a fifth entry during the roll begins a second roll', async () => {
  const entries = Array.from({ length: 5 }, () => ({ delay_ms: 1, size: 25 }))
  expect(await outcome(await property('CLF'), { entries }, [1, 0])).toBe('2 files are not full: 125, 0, 0 bytes')
})

test('FPS: a second request before the list is made makes the first one hang', async () => {
  // The first two pauses are before the list is made, the others while a token is asked for.
  const fps = await property('FPS')
  expect(await outcome(fps, { first_ms: 0, second_ms: 0 }, [0, 1, 2, 3], 2)).toBe('hangs')
})

test('B1: in the world, where time is ours, an entry that is late by more than the gap is the only one', async () => {
  const searched = new Searched(CONFUZZ.find(({ name }) => name === 'B1')!)
  try {
    const search = { guide: NOTHING, strategy: 'random' }
    const { found } = await searched.trial(search, 1, { timeMs: Number.MAX_SAFE_INTEGER, runs: 1000 })
    expect(found).toBe(true)
  } finally {
    searched.close()
  }
})

test('MX: exactly four pairs of input and order fail', async () => {
  const mx = await property('MX')
  const failing: string[] = []
  // In each order the end is four times the input and something: further out it cannot be 0.
  for (let i = -100; i <= 100; i++) {
    for (const order of ORDERS) {
      if ((await outcome(mx, { i }, order)) !== 'passed') failing.push(`${i}: ${order.join(' ')}`)
    }
  }
  expect(failing).toEqual(['-68: 0 2 1', '-68: 2 0 1', '-17: 1 0 2', '-17: 1 2 0'])
})

test('pipe: a word is spelled by its characters in the right order alone', async () => {
  const pipe = await property('pipe')
  const spells = 'the list spells BUG'
  expect(await outcome(pipe, { characters: 'bug' }, [0, 1, 2])).toBe(spells)
  expect(await outcome(pipe, { characters: 'guB' }, [2, 1, 0])).toBe(spells)
  expect(await outcome(pipe, { characters: 'guB' }, [0, 1, 2])).toBe('passed')
  for (const order of ORDERS) expect(await outcome(pipe, { characters: 'bud' }, order)).toBe('passed')
})

describe.each([1, 2, 3, 4, 5])('B2(%i)', (n) => {
  const rounds = (10 * n + 20) / 2
  const forbidden = FORBIDDEN[n - 1]!
  const permutations = forbidden.match(/.../g)!

  test('has one text of as many rounds, in each of which every digit comes once', () => {
    expect(forbidden).toHaveLength(3 * rounds)
    for (const permutation of permutations) expect([...permutation].sort().join('')).toBe('123')
  })

  test('has a text in which no order prevails', () => {
    expect(new Set(permutations).size).toBeGreaterThanOrEqual(ORDERS.length - 1)
    expect(permutations.filter((order) => order === '123').length).toBeLessThan(rounds / 2)
  })

  test('fails in the one schedule that spells it', async () => {
    const b2 = await property(`B2(${n})`)
    const order = pausesThatSpell(permutations)
    expect(await outcome(b2, {}, order)).toBe('the text is the forbidden one')
    const [last = 0, beforeLast = 0] = [order.pop(), order.pop()]
    expect(await outcome(b2, {}, [...order, last, beforeLast])).toBe('passed')
  })
})

/**
 * The pauses in the order in which they have to end; a task begins its next one when the one before
 * has ended.
 */
function pausesThatSpell(permutations: readonly string[]): number[] {
  return permutations.flatMap((permutation, round) => {
    const begun = permutations[round - 1] ?? '123'
    return [...permutation].map((digit) => 3 * round + begun.indexOf(digit))
  })
}

describe('needle', () => {
  test('four integers with their low sixteen bits set get through', async () => {
    const needle = await property('needle')
    expect(await outcome(needle, { numbers: [0xffff, -1, 0x1ffff, 0x7fffffff] }, [])).toBe('somebody gets through')
  })
  test.each([
    ['three', [-1, -1, -1]],
    ['five', [-1, -1, -1, -1, -1]],
    ['four, of which one lacks its lowest bit,', [-1, -1, -1, -2]],
    ['four, of which one lacks its sixteenth bit,', [0x7fff, -1, -1, -1]],
  ])('%s do not', async (_, numbers) => {
    expect(await outcome(await property('needle'), { numbers }, [])).toBe('passed')
  })
})
