import { expect, it } from 'vitest'
import { column } from '../../src/linearizability/column.ts'

it('gives typed arrays of zeros that share nothing', () => {
  const columns = Array.from({ length: 3000 }, (_, nth) => {
    const length = (nth * 7) % 600
    const made = [column(Uint8Array, length), column(Float64Array, length), column(Int32Array, length)]
    expect(made.every((one) => one.length === length && one.every((value) => value === 0))).toBe(true)
    for (const one of made) one.fill(1 + (nth % 250))
    return made
  })
  for (const [nth, made] of columns.entries())
    expect(made.every((one) => one.every((value) => value === 1 + (nth % 250)))).toBe(true)
})
