/** Wrong arguments, small: functions of descriptors answer them as on stock Node. */
import { expect, test } from 'vitest'
import { ACCEPTED } from '../fidelity/arguments/accepted.ts'
import { LEFT_OUT, subjects } from '../fidelity/arguments/subjects.ts'
import { smokeRows } from './bench.ts'

test('every function of a module is called, or left out with its reason', async () => {
  const names = (await subjects()).map(({ name }) => name)
  for (const name of ['fs.closeSync', 'fs/promises.access', 'process.cpuUsage', 'crypto.randomUUID', 'FileHandle.read'])
    expect(names).toContain(name)
  expect(names.filter((name) => LEFT_OUT[name] !== undefined)).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})

test('an accepted difference has a reason', () => {
  for (const reason of Object.values(ACCEPTED)) expect(reason).toMatch(/\w+ \w+/)
})

test('no call is answered otherwise, and none is refused', async () => {
  const rows = await smokeRows('fidelity', '--part', 'arguments')
  expect(rows.map((row) => row.function)).toContain('fs.fsyncSync')
  for (const { function: name, calls, refused, differ } of rows) {
    expect({ name, refused, differ }).toEqual({ name, refused: 0, differ: {} })
    expect(calls).toBeGreaterThan(100)
  }
})
