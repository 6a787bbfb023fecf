/**
 * Key frames survive changes of the code under test: messages are added, one of them before all
 * others, timeouts are changed, and the same three files still find their executions; the tapes
 * that were found before do not lead there any more.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { findExecution, loadFrames, runFramed, type System } from '../../../../src/cluster.ts'
import { project } from '../../../cli/project.ts'

const EXAMPLE = resolve(import.meta.dirname, '../../../../../../examples/leader-election')
const FILES = ['deposed-leader.json', 'restarted-voter.json', 'split-vote.json']
const OPTIONS = { steps: 120, faults: { crashes: 2, drops: 3, partitions: 1 } }

const folder = mkdtempSync(join(tmpdir(), 'norn-frames-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What is changed: texts of the source, and what stands in their place. */
type Change = readonly (readonly [from: string, to: string])[]

const SLOWER: Change = [
  ['ELECTION_MIN_MS = 150', 'ELECTION_MIN_MS = 1_000'],
  ['ELECTION_MAX_MS = 300', 'ELECTION_MAX_MS = 1_200'],
  ['HEARTBEAT_MS = 50', 'HEARTBEAT_MS = 400'],
]

/** A node greets the others when it starts, and heartbeats are acknowledged. */
const MORE_MESSAGES: Change = [
  [
    "  | { readonly type: 'alive'; readonly term: number }",
    "  | { readonly type: 'alive' | 'hello' | 'heard'; readonly term: number }",
  ],
  ['  onStart(): void {\n', "  onStart(): void {\n    this.#context.broadcast({ type: 'hello', term: this.term })\n"],
  [
    "        this.role = 'follower'\n        this.#expectLeader()",
    "        this.role = 'follower'\n        this.#expectLeader()\n        this.#context.send(from, { type: 'heard', term: this.term })",
  ],
]

const CHANGES: readonly (readonly [what: string, change: Change])[] = [
  ['as it is', []],
  ['with other timeouts', SLOWER],
  ['with more messages', MORE_MESSAGES],
  ['with both', [...SLOWER, ...MORE_MESSAGES]],
]

function changed(change: Change): string {
  return change.reduce(
    (text, [from, to]) => {
      expect(text).toContain(from)
      return text.replace(from, to)
    },
    readFileSync(join(EXAMPLE, 'election.ts'), 'utf8'),
  )
}

async function electionOf(what: string, change: Change): Promise<() => System> {
  const path = join(folder, `${what.replaceAll(' ', '-')}.ts`)
  writeFileSync(path, changed(change))
  return ((await import(pathToFileURL(path).href)) as { election: () => System }).election
}

test.each(CHANGES)('the three files find their executions in the election %s', async (what, change) => {
  const options = { ...OPTIONS, system: await electionOf(what, change) }
  for (const file of FILES) {
    const keyFrames = loadFrames(join(EXAMPLE, 'frames', file))
    for (const seed of [1, 2, 3])
      expect({ file, seed, missing: findExecution(options, keyFrames, { seed, shrink: false }).missing }).toEqual({
        file,
        seed,
        missing: undefined,
      })
  }
})

test('a tape does not survive what key frames do', async () => {
  const before = { ...OPTIONS, system: await electionOf('before', []) }
  const after = { ...OPTIONS, system: await electionOf('after', [...SLOWER, ...MORE_MESSAGES]) }
  const survived = FILES.map((file) => {
    const keyFrames = loadFrames(join(EXAMPLE, 'frames', file))
    const { found } = findExecution(before, keyFrames, { seed: 1 })
    expect(runFramed(before, keyFrames, found!).at.length).toBe(keyFrames.frames.length)
    return runFramed(after, keyFrames, found!).at.length === keyFrames.frames.length
  })
  expect(survived).toContain(false)
})

test('norn fuzz --until-frames ends when all are reached, before the change and after it', async () => {
  const files = {
    'election.ts': changed([]),
    'election.fuzz.ts': readFileSync(join(EXAMPLE, 'election.fuzz.ts'), 'utf8'),
  }
  const { root, call, write } = project(files)
  cpSync(join(EXAMPLE, 'frames'), join(root, 'frames'), { recursive: true })
  const fuzz = () => call('fuzz', 'election.fuzz.ts', '--until-frames', 'frames', '--seed', '1', '--runs', '5000')
  const before = await fuzz()
  expect(before).toMatchObject({ status: 0, stderr: '' })
  expect(before.stdout).toMatch(/✓ one leader a term: 3 of 3 key frames reached, the last in execution \d+\n/)
  write('election.ts', changed([...SLOWER, ...MORE_MESSAGES]))
  const after = await fuzz()
  expect(after).toMatchObject({ status: 0, stderr: '' })
  expect(after.stdout).toMatch(/3 of 3 key frames reached/)
})
