/** Packages that take `fs` apart find the overlay too. */
import fs from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { world } from './world.ts'

const require = createRequire(import.meta.url)

/**
 * Node 26 writes a whole file in one native job, which is only seen through a `writeFile` taken
 * after owning.
 */
const hasJobs = 'WriteFileJob' in require('internal/test/binding').internalBinding('fs')

test('graceful-fs, loaded before and after', async () => {
  const early = require('graceful-fs') as typeof fs
  const { readFile, writeFile } = fs
  world()
  await world().run(async () => {
    const late = require('graceful-fs').gracefulify({ ...fs }) as typeof fs
    for (const [index, one] of [early, late, { ...fs, readFile, writeFile }].entries()) {
      const path = `/nowhere-real-${index}`
      if (hasJobs && one !== late) one.writeFileSync(path, 'x')
      else
        await new Promise((resolve, reject) =>
          one.writeFile(path, 'x', (error) => (error ? reject(error) : resolve(0))),
        )
      await new Promise((resolve, reject) =>
        one.rename(path, `${path}b`, (error) => (error ? reject(error) : resolve(0))),
      )
      expect(await new Promise((resolve) => one.readFile(`${path}b`, 'utf8', (_error, text) => resolve(text)))).toBe(
        'x',
      )
      expect(
        await new Promise((resolve) =>
          one.readdir('/', (_error, names) => resolve(names.includes(`nowhere-real-${index}b`))),
        ),
      ).toBe(true)
      const stream = one.createReadStream(`${path}b`, 'utf8')
      let text = ''
      for await (const chunk of stream) text += chunk
      expect(text).toBe('x')
    }
  })
  expect(fs.existsSync('/nowhere-real-0b')).toBe(false)
})
