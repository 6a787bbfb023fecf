import { expect, test } from 'vitest'
import { type Attempt, FrameSearch, piecesOf } from '../../../src/cluster/frames/frame-search.ts'
import { chance } from '../../../src/tape/chance.ts'

const STEPS = 10

/** The steps that an attempt takes, where chance takes 1 to 4. */
function drawn({ from, steps, seed }: Attempt<string>): number[] {
  const draws = chance(seed)
  return Array.from({ length: from.steps.length + STEPS }, (_, at) => steps.get(at) ?? draws.integer(1, 4))
}

/** At which steps a code of digits comes, each after the one before. */
function reach(code: readonly number[], steps: readonly number[]): number[] {
  const at: number[] = []
  for (const [ordinal, step] of steps.entries()) if (step === code[at.length]) at.push(ordinal)
  return at
}

function search(seed: number, code: readonly number[], attempts: number) {
  const search = new FrameSearch<string>(seed, code.length)
  const made: Attempt<string>[] = []
  for (let attempt = 0; attempt < attempts && search.found === undefined; attempt++) {
    const next = search.next(STEPS)
    made.push(next)
    const steps = drawn(next)
    search.observe(reach(code, steps), steps, () => `input ${attempt}`)
  }
  return { search, made }
}

test('the first attempt, and the first behind each beginning, is what happens by itself', () => {
  const { made } = search(1, [1, 2, 3, 4, 1, 2], 50)
  const firsts = made.filter(({ from }, at) => made.findIndex((other) => other.from === from) === at)
  expect(firsts.length).toBeGreaterThan(1)
  for (const { from, steps } of firsts) {
    expect(steps.size).toBe(from.steps.length + STEPS)
    for (let at = from.steps.length; at < steps.size; at++) expect(steps.get(at)).toBe(0)
  }
})

test('a beginning is taken over whole, with its input, and reaches its frames again', () => {
  const code = [1, 2, 3, 4]
  for (const { from, steps } of search(2, code, 100).made) {
    for (const [at, step] of from.steps.entries()) expect(steps.get(at)).toBe(step)
    expect(reach(code, from.steps).length).toBe(from.reached)
    expect(from.input === undefined).toBe(from.reached === 0)
  }
})

test('attempts go on from the furthest frame mostly, and always from the start too', () => {
  // The last frame never comes.
  const { made } = search(3, [1, 2, 9], 400)
  const late = made.slice(100)
  const share = (reached: number) => late.filter(({ from }) => from.reached === reached).length / late.length
  expect(share(2)).toBeGreaterThan(0.4)
  expect(share(0)).toBeGreaterThan(0.15)
})

test('of each frame a few beginnings are kept, and those tried long give way', () => {
  const { made } = search(4, [1, 9], 1_000)
  const last = made.slice(-200).filter(({ from }) => from.reached === 1)
  expect(new Set(last.map(({ from }) => from)).size).toBeLessThanOrEqual(16)
  const early = made.slice(0, 200).map(({ from }) => from)
  expect(last.some(({ from }) => !early.includes(from))).toBe(true)
})

test('what any execution reached counts, and the first that reaches all is what is found', () => {
  const search = new FrameSearch<string>(5, 2)
  search.observe([3], [0, 0, 0, 1, 0], () => 'elsewhere')
  expect(search.reached).toBe(1)
  search.observe([0, 2], [1, 0, 2, 0], () => 'found')
  search.observe([0, 1], [1, 2], () => 'later')
  expect(search.found).toMatchObject({ steps: [1, 0, 2], at: [0, 2], input: 'found' })
})

test('the same seed makes the same attempts', () => {
  const made = () => search(6, [4, 3, 2, 1, 4, 3], 200).made.map(drawn)
  expect(made()).toEqual(made())
})

test('steps are cut behind each frame; frames of one moment have nothing between them', () => {
  expect(piecesOf([5, 6, 7, 8], [1, 1, 3])).toEqual([[5, 6], [], [7, 8]])
  expect(piecesOf([5], [-1, 0])).toEqual([[], [5]])
})
