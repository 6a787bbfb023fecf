/**
 * Calls of one function with wrong values, and what each answers: an error's name, code and message, or the
 * kind of its result. Imports nothing of norn: runs on stock Node and in the world.
 */
import fs from 'node:fs'
import { join } from 'node:path'
import type { Subject } from './subjects.ts'

/** What a function answered, by call. */
export type Answers = Readonly<Record<string, string>>

/** Values of each kind; a name that shows them in a report. */
const VALUES: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  '-1': () => -1,
  '1.5': () => 1.5,
  NaN: () => Number.NaN,
  Infinity: () => Number.POSITIVE_INFINITY,
  '2 ** 53': () => 2 ** 53,
  "''": () => '',
  "'x'": () => 'x',
  "'a\\0b'": () => 'a\0b',
  'Symbol()': () => Symbol('s'),
  '{}': () => ({}),
  '[]': () => [],
  '() => {}': () => () => {},
  '1n': () => 1n,
  'new Date(0)': () => new Date(0),
  // Not of the pool: its place there shows in messages.
  "Buffer.alloc(1, 'x')": () => Buffer.alloc(1, 'x'),
}

/** Where the value stands: behind what other arguments. */
const SHAPES: Readonly<Record<string, (value: unknown, fd: number) => unknown[]>> = {
  '(V)': (value) => [value],
  '(V, f)': (value) => [value, () => {}],
  "('file', V)": (value) => ['file', value],
  "('file', V, f)": (value) => ['file', value, () => {}],
  '(fd, V)': (value, fd) => [fd, value],
  '(fd, V, f)': (value, fd) => [fd, value, () => {}],
  "('file', 'y', V)": (value) => ['file', 'y', value],
  "('file', 1, V)": (value) => ['file', 1, value],
  '(fd, buffer, V)': (value, fd) => [fd, Buffer.alloc(4), value],
  '(fd, 1, V)': (value, fd) => [fd, 1, value],
}

/** The shapes for a function: only those of files get descriptors, whose numbers differ from process to process. */
export function shapesOf({ name }: Pick<Subject, 'name'>): string[] {
  const takesDescriptors = name.startsWith('fs') || name.startsWith('FileHandle')
  return Object.keys(SHAPES).filter((shape) => takesDescriptors || !shape.includes('fd'))
}

export const CALLS_OF_SHAPE = Object.keys(VALUES).length

/** How long a promise may take to count as settled, in milliseconds. */
const PATIENCE_MS = 1000

/** Makes all calls of a shape, each in a folder of its own below `folder`. */
export async function answersOf({ call }: Subject, shape: string, folder: string): Promise<Answers> {
  const answers: Record<string, string> = {}
  const prepared = Object.entries(VALUES).map(([name, make], index) => ({ name, make, ...prepare(folder, index) }))
  for (const { name, make, own, fd } of prepared) {
    process.chdir(own)
    const answer = await answered(() => call(SHAPES[shape]!(make(), fd)))
    const isDescriptor = new RegExp(`\\b${fd}\\b(?!-bit)`, 'g')
    answers[shape.replace('V', name)] = answer.replaceAll(isDescriptor, 'fd').replaceAll(folder, '')
    // What it has begun in the pool is done here, not in the folder of the next call.
    await fs.promises.stat('/')
    try {
      fs.closeSync(fd)
    } catch {}
  }
  process.chdir(folder)
  return answers
}

/** A folder with a file that is open. */
function prepare(folder: string, index: number): { own: string; fd: number } {
  const own = join(folder, `${index}`)
  fs.mkdirSync(own)
  fs.writeFileSync(join(own, 'file'), 'text')
  return { own, fd: fs.openSync(join(own, 'file'), 'r+') }
}

async function answered(call: () => unknown): Promise<string> {
  try {
    const result = call()
    if (!(result instanceof Promise)) return `returns ${kindOf(result)}`
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, LATE))
    const settled = await Promise.race([result, late])
    return settled === LATE ? 'is pending' : `resolves to ${kindOf(settled)}`
  } catch (error) {
    if (!(error instanceof Error)) return `throws ${String(error)}`
    const { name, code, message } = error as NodeJS.ErrnoException
    return `throws ${name} ${code ?? ''}: ${message}`
  }
}

const LATE = Symbol('late')

function kindOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return (Object.getPrototypeOf(value)?.constructor?.name as string | undefined) ?? 'an object'
}
