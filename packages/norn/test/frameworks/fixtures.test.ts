/** Fixtures of `test.extend`: which are made, in which order, and when they end. */
import { expect, it } from 'vitest'
import { type Context, endFixtures, Fixtures } from '../../src/frameworks/fixtures.ts'
import { SuiteCollection } from '../../src/property/suites.ts'

type Use = (value: unknown) => Promise<void>

const log: string[] = []
const extended = (before: Fixtures, given: readonly unknown[]) => before.extended(given, undefined)
const fixtures = extended(new Fixtures(), [
  {
    port: 80,
    server: async ({ port }: { port: number }, use: Use) => {
      log.push(`listens ${port}`)
      await use({ port })
      log.push('closes')
    },
    unused: async ({ task: _ }: Context, use: Use) => {
      log.push('unused')
      await use(1)
    },
  },
])

const run = async (body: Function, some = fixtures) => {
  log.length = 0
  const context: Context = { task: {} }
  await some.provide(context, body, 0, undefined)
  try {
    await body(context)
  } finally {
    await endFixtures(context)
  }
}

it('makes what a test names and what that needs, around the test', async () => {
  await run(async ({ server }: { server: { port: number } }) => log.push(`test ${server.port}`))
  expect(log).toEqual(['listens 80', 'test 80', 'closes'])
})

it('makes nothing for a test that names nothing', async () => {
  await run(({ task }: { task: object }) => log.push(typeof task))
  expect(log).toEqual(['object'])
})

it('passes the error of a test through its fixtures', async () => {
  const fails = async ({ server }: { server: object }) => {
    throw new Error(`no ${typeof server}`)
  }
  await expect(run(fails)).rejects.toThrow('no object')
})

it('makes an automatic one for each test', async () => {
  const auto = extended(fixtures, [
    {
      logged: [
        async ({ task: _ }: Context, use: Use) => {
          log.push('auto')
          await use(0)
        },
        { auto: true },
      ],
    },
  ])
  await run(() => log.push('test'), auto)
  expect(log).toEqual(['auto', 'test'])
})

it('takes a name and a function that returns the value', async () => {
  const built = extended(fixtures, [
    'url',
    ({ port }: { port: number }, { onCleanup }: { onCleanup: (f: () => void) => void }) => {
      onCleanup(() => log.push('cleaned'))
      return `http://localhost:${port}`
    },
  ])
  await run(({ url }: { url: string }) => log.push(url), built)
  expect(log).toEqual(['http://localhost:80', 'cleaned'])
})

it('refuses a test that does not destructure its context', () => {
  expect(() => fixtures.provide({}, (context: object) => context, 0, undefined)).toThrow("it takes 'context'")
})

it('reads what is destructured with defaults, other names and brackets', async () => {
  await run(async ({ server: { port } = { port: Math.max(1, 2) }, port: other = [3, 4][0] }) =>
    log.push(`${port} ${other}`),
  )
  expect(log).toEqual(['listens 80', '80 80', 'closes'])
})

it('lets one that replaces another use it', async () => {
  const next = extended(fixtures, [{ port: async ({ port }: { port: number }, use: Use) => use(port + 1) }])
  await run(({ server }: { server: { port: number } }) => log.push(`${server.port}`), next)
  expect(log).toEqual(['listens 81', '81', 'closes'])
})

it('says which need each other', async () => {
  const circle = extended(new Fixtures(), [
    { a: async ({ b }: Context, use: Use) => use(b), b: async ({ a }: Context, use: Use) => use(a) },
  ])
  expect(() => circle.provide({}, ({ a }: Context) => a, 0, undefined)).toThrow('a → b → a')
})

it('makes one of a file once, and others for each test; a suite may replace them', async () => {
  const { root } = new SuiteCollection()
  let made = 0
  const shared = new Fixtures().extended(
    [{ db: [async ({ task: _ }: Context, use: Use) => use(++made), { scope: 'file' }] }],
    root,
  )
  const seen: unknown[] = []
  for (let test = 0; test < 2; test++) {
    const context: Context = {}
    await shared.provide(context, ({ db }: Context) => db, 0, root)
    seen.push(context.db)
    await endFixtures(context)
  }
  expect(seen).toEqual([1, 1])
  const inner = { ...root, parent: root }
  shared.override(['db', 7], inner)
  const context: Context = {}
  await shared.provide(context, ({ db }: Context) => db, 0, inner)
  expect(context.db).toBe(7)
})
