import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CorpusStore, type CorpusStoreOptions, nameOf } from '../../src/storage/corpus-store.ts'
import { OWNER } from '../../src/storage/files.ts'
import { tapeOf } from '../property/fixtures/tape-of.ts'

const WRITER = resolve(import.meta.dirname, 'fixtures/corpus-writer.ts')

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'norn-corpus-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function storeOf(more: Partial<CorpusStoreOptions> = {}): CorpusStore {
  return new CorpusStore({ root, file: 'a.fuzz.ts', property: 'p', version: '1', ...more })
}

const numbers = (store: CorpusStore) =>
  store
    .load()
    .map(({ choices }) => choices.input[0]!.value as number)
    .sort((a, b) => a - b)

describe('several processes on one corpus', () => {
  test('add at once, some of it the same: all of it is there', async () => {
    const write = (first: number) => promisify(execFile)(process.execPath, [WRITER, root, `${first}`, '200'])
    await Promise.all([write(0), write(100), write(100)])
    expect(numbers(storeOf())).toEqual(Array.from({ length: 300 }, (_, number) => number))
  })

  test('one killed at work leaves whole entries, and nothing else for long', async () => {
    const writer = spawn(process.execPath, [WRITER, root, '0', '1000000'], { stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise((atWork) => writer.stdout.once('data', atWork))
    const ended = new Promise((done) => writer.once('close', done))
    writer.kill('SIGKILL')
    await ended
    const store = storeOf({ onIgnored: (path, why) => expect.unreachable(`${path}: ${why}`), maxEntries: 1e6 })
    // A kill in the middle of a write leaves this behind.
    writeFileSync(join(store.folder, `.${nameOf(tapeOf(0))}.${deadOwner(writer.pid!)}.tmp`), '{"form')
    const found = numbers(store)
    expect(found).toEqual(Array.from({ length: found.length }, (_, number) => number))
    expect(found.length).toBeGreaterThanOrEqual(20)
    expect(readdirSync(store.folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})

/** The owner that a dead process of this machine would have been. */
function deadOwner(pid: number): string {
  return OWNER.replace(/\d+$/, `${pid}`)
}
