/** Histories of the public test data of Porcupine: their verdicts are known. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { History } from '../../packages/history/src/history/operation.ts'
import { MODELS } from '../../packages/history/src/models/catalogue.ts'
import { type ModelInput, type ModelName, readingFor } from '../../packages/history/src/models/inputs.ts'
import type { ObjectModel } from '../../packages/history/src/models/model.ts'
import { parseHistory } from '../../packages/history/src/read/read-history.ts'
import { UsageError } from '../suite.ts'

export interface KnownHistory {
  /** The name of the file. */
  readonly name: string
  readonly modelName: ModelName
  readonly model: ObjectModel
  readonly verdict: 'ok' | 'illegal'
  readonly history: History<ModelInput>
  readonly readMs: number
}

/** The logs `etcd_NNN.log` that are linearizable. */
const LINEARIZABLE_LOGS = new Set([
  ...['002', '005', '007', '018', '025', '031', '038', '045', '048', '049', '051', '053', '056', '067', '075', '076'],
  ...['080', '087', '092', '098', '100', '101', '102'],
])

/**
 * @param folder where they are; undefined if it was not given, which is said
 * @throws UsageError if it has none
 */
export function knownHistories(folder: string | undefined, part: string, only = ''): readonly KnownHistory[] {
  if (folder === undefined) {
    console.error(`history: ${part}: skipped: pass --data DIR, such as a checkout of Porcupine's test_data`)
    return []
  }
  if (!existsSync(folder)) throw new UsageError(`--data: no such folder: ${folder}`)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const known = files.flatMap((file) => knownHistory(join(folder, file)) ?? [])
  if (known.length === 0) throw new UsageError(`--data: neither etcd_NNN.log nor cNN-ok.txt in ${folder}`)
  return known.filter(({ name }) => name.includes(only))
}

function knownHistory(path: string): KnownHistory | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const log = /^etcd_(\d+)\.log$/.exec(name)
  const store = /^c\d+-(ok|bad)\.txt$/.exec(name)
  if (log === null && store === null) return undefined
  const modelName = log === null ? 'kv' : 'cas-register'
  const isLegal = log === null ? store![1] === 'ok' : LINEARIZABLE_LOGS.has(log[1]!)
  const text = readFileSync(path, 'utf8')
  // etcd_095.log is published empty.
  if (text === '') return undefined
  const began = performance.now()
  const history = parseHistory(text, readingFor(modelName))
  const readMs = performance.now() - began
  return { name, modelName, model: MODELS[modelName], verdict: isLegal ? 'ok' : 'illegal', history, readMs }
}
