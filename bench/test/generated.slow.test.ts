/** Generated programs, small: norn and stock Node agree, and would not if norn had a known defect. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Comparison, compare, type Size } from '../fidelity/generated/compare.ts'
import { DEFECTS } from '../fidelity/generated/defects.ts'
import { generate } from '../fidelity/generated/generate.ts'
import { NORN } from '../fidelity/generated/norn.ts'
import { describePattern } from '../fidelity/generated/patterns.ts'
import { type Program, preorder, describe as text } from '../fidelity/generated/program.ts'
import { reduce } from '../fidelity/generated/reduce.ts'
import { Stock } from '../fidelity/generated/stock.ts'
import { Mutants, type Replacement } from '../fidelity/mutants.ts'

const SIZE = { stock: { plain: 10, heldUp: 40 }, least: 100, most: 1000, search: 1000 }

const hasCompiler = spawnSync('cc', ['--version']).status === 0
if (!hasCompiler) console.warn('skipped: comparisons with stock Node need a C compiler named cc (apt-get install gcc)')
const withStock = test.skipIf(!hasCompiler)

let stock: Stock
beforeAll(async () => {
  if (hasCompiler) stock = await Stock.open()
})
afterAll(() => stock?.close())

const wrong = ({ unreachable, unexplained, verdicts }: Comparison) => [...unreachable, ...unexplained, ...verdicts]

test('a program is a function of its seed and number', () => {
  const programs = Array.from({ length: 50 }, (_, index) => text(generate(1, index)))
  expect(Array.from({ length: 50 }, (_, index) => text(generate(1, index)))).toEqual(programs)
  expect(new Set(programs).size).toBeGreaterThan(45)
})

withStock('norn shows the orders of stock Node, and no others', async () => {
  const programs = [generate(1, 0), generate(1, 1)]
  for (const [index, comparison] of (await compare(programs, stock, SIZE)).entries()) {
    expect(wrong(comparison), text(programs[index]!)).toEqual([])
    expect(comparison.stock.size).toBeGreaterThan(0)
  }
})

test.each(DEFECTS)('the text that "$name" replaces stands in the sources once', ({ file, find }) => {
  expect(readFileSync(join(NORN.root, file), 'utf8').split(find).length - 1).toBe(1)
})

const node = (kind: string, ...then: Program['roots']) => ({ kind, then })

withStock.each([
  {
    defect: DEFECTS[0]!,
    size: SIZE,
    program: { start: 'check', roots: [node('fs.stat', node('a new MessageChannel'), node('setImmediate'))] },
    only: ['b (a new MessageChannel) before c (setImmediate)'],
  },
  {
    defect: DEFECTS[1]!,
    // Triples count when stock Node has run often.
    size: { ...SIZE, stock: { plain: 50, heldUp: 200 } },
    program: { start: 'poll', roots: [node('dns.lookup'), node('dns.lookup'), node('dns.lookup')] },
    only: ['c (dns.lookup) before a (dns.lookup) before b (dns.lookup)'],
  },
] satisfies { defect: Replacement; size: Size; program: Program; only: string[] }[])(
  'norn with the defect "$defect.name" is seen in a program that shows it',
  async ({ defect, size, program, only }) => {
    const mutants = new Mutants(NORN.root)
    try {
      const [comparison] = await mutants.within(defect, (engine) => compare([program], stock, size, engine))
      const unexplained = comparison!.unexplained.map((pattern) => describePattern(program, pattern))
      expect(unexplained).toEqual(expect.arrayContaining(only))
    } finally {
      mutants.remove()
    }
  },
)

test('a program that disagrees is reduced to what it takes', async () => {
  const program = generate(1, 2)
  const kind = preorder(program.roots).at(-1)!.kind
  const smallest = await reduce(program, async ({ roots }) => preorder(roots).some((node) => node.kind === kind))
  expect(preorder(smallest.roots).map((node) => node.kind)).toEqual([kind])
})
