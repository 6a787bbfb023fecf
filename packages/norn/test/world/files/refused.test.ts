/**
 * Nothing escapes: what is not owned is refused by its name, and runs untouched outside of an
 * execution.
 */
import fs from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { world } from './world.ts'

const { internalBinding } = createRequire(import.meta.url)('internal/test/binding')

// A function of a Node that is not there yet: it has to be there before the binding is owned.
internalBinding('fs').futureFunction = () => 'reached the disk'

test.each<[string, () => unknown]>([
  ['fs.futureFunction', () => internalBinding('fs').futureFunction()],
  ['fs.openAsBlob', () => fs.openAsBlob('/etc/hostname')],
  ['fs.open of a device, /dev/urandom', () => fs.openSync('/dev/urandom', 'r')],
])('%s', async (what, program) => {
  world()
  await expect(world().run(async () => program())).rejects.toThrow(what)
  expect(world().refused).toEqual([what])
})

test('outside of an execution Node runs as ever', async () => {
  world()
  expect(internalBinding('fs').futureFunction()).toBe('reached the disk')
  const watcher = fs.watch('/tmp')
  watcher.close()
  expect(await (await fs.openAsBlob('/etc/hostname')).text()).toBe(fs.readFileSync('/etc/hostname', 'utf8'))
})

test('what the JavaScript of a newer or older Node would call natively is refused by a name for people', async () => {
  await expect(world().run(async () => fs.cpSync('/tmp', '/tmp-2', { recursive: true }))).rejects.toThrow('fs.cpSync')
})
