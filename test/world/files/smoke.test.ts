import fs from 'node:fs'
import { expect, test } from 'vitest'
import { world } from './world.ts'

test('smoke', async () => {
  const w = world()
  const r = await w.run(async () => {
    fs.mkdirSync('/tmp/none-such')
    await fs.promises.writeFile('/tmp/none-such/a', 'hello')
    fs.appendFileSync('/tmp/none-such/a', ' you')
    const cb = await new Promise((ok, no) => fs.readFile('/tmp/none-such/a', 'utf8', (e, d) => (e ? no(e) : ok(d))))
    return [
      cb,
      fs.readdirSync('/tmp/none-such'),
      fs.statSync('/tmp/none-such/a').size,
      fs.readFileSync('/etc/hostname', 'utf8'),
    ]
  })
  console.log(r, w.trace)
  expect(fs.existsSync('/tmp/none-such')).toBe(false)
})
