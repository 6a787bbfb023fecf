/** Fixtures of `test.extend`: which are made, in which order, and when they end. */
import { expect, it } from 'vitest'
import { extended, NO_FIXTURES, withFixtures } from '../../src/frameworks/fixtures.ts'
import type { Flavour } from '../../src/frameworks/test-functions.ts'

const plain: Flavour = { name: 'plain', defaults: {}, call: ({ body, values }) => body(...values, { task: {} }) }
type Use = (value: unknown) => Promise<void>

const log: string[] = []
const fixtures = extended(NO_FIXTURES, [
  {
    port: 80,
    server: async ({ port }: { port: number }, use: Use) => {
      log.push(`listens ${port}`)
      await use({ port })
      log.push('closes')
    },
    unused: async (_: object, use: Use) => {
      log.push('unused')
      await use(1)
    },
  },
])

const run = (body: Function, some = fixtures) => {
  log.length = 0
  const call = {
    kind: 'test',
    title: 't',
    values: [],
    place: 'only',
    options: {},
    suite: undefined,
    attempt: undefined,
  } as const
  return withFixtures(plain, some).call({ ...call, body })
}

it('makes what a test names and what that needs, around the test', async () => {
  await run(async ({ server }: { server: { port: number } }) => log.push(`test ${server.port}`))
  expect(log).toEqual(['listens 80', 'test 80', 'closes'])
})

it('makes nothing for a test that names nothing', async () => {
  await run((context: object) => log.push(Object.keys(context).join()))
  expect(log).toEqual(['task'])
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
        async (_: object, use: Use) => {
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
