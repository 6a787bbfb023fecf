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

test('fs.cpSync of files on which Node aborts is refused', async () => {
  const at = fs.mkdtempSync('/tmp/norn-refused-')
  await world().run(async () => {
    fs.mkdirSync(`${at}/from`)
    fs.symlinkSync('itself', `${at}/from/itself`)
    expect(() => fs.cpSync(`${at}/from`, `${at}/to`, { recursive: true })).toThrow('on which Node aborts')
  })
  fs.rmdirSync(at)
})
