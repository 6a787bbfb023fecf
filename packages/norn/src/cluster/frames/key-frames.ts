/**
 * Key frames: an ordered list of predicates on the states that an interesting execution passes, as in
 * animation. A tape replays only over the code that recorded it; key frames outlive the code, and a
 * search fills in the steps between them (after "Random Fuzzy Thoughts").
 *
 * They are predicates in TypeScript (`frames`), or files of JSON conditions, one list a file:
 *
 *     { "name": "a leader comes back", "cluster": "one leader a term",
 *       "frames": [ { "name": "a leads", "where": { "nodes.a.state.role": "leader" } }, … ] }
 *
 * `cluster` may be omitted if the call has only one; `about` is a comment.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { jsonFault } from '#shared/json-fault'
import type { KeyFramesData } from '../../contract/key-frames.ts'
import type { ClusterView } from '../views.ts'
import { ConditionError, type PathUse, parseCondition } from './condition.ts'

/**
 * A condition on the state of a cluster.
 *
 * @public
 */
export type FramePredicate<State = unknown> = (cluster: ClusterView<State>) => boolean

/**
 * One key frame: a named condition.
 *
 * @public
 */
export interface KeyFrame {
  readonly name: string
  readonly holds: FramePredicate
  /** The paths that its condition names, if it comes from a file. */
  readonly paths?: readonly PathUse[]
}

/**
 * An ordered list of key frames that an execution passes.
 *
 * @public
 */
export interface KeyFrames {
  readonly name: string
  /** In the order in which an execution passes them; several may hold at one moment. */
  readonly frames: readonly KeyFrame[]
}

/** Bounds on a list of key frames, a folder, and the size of a file. */
export const MAX_FRAMES = 64
const [MAX_FILES, MAX_BYTES] = [1000, 1024 * 1024]

/**
 * Key frames as predicates in TypeScript.
 *
 * @public
 * @param name unique among the key frames of the cluster
 * @param predicates in order: an array, or an object whose keys name the frames
 * @throws TypeError if there are none, or one is not a function
 */
export function frames<State = unknown>(
  name: string,
  predicates: readonly FramePredicate<State>[] | Readonly<Record<string, FramePredicate<State>>>,
): KeyFrames {
  const refuse = (why: string): never => {
    throw new TypeError(`frames('${name}', predicates): ${why}`)
  }
  if (typeof name !== 'string' || name === '') refuse('name must be a non-empty string')
  const entries = Object.entries(predicates ?? {}) as [string, FramePredicate][]
  if (entries.length === 0 || entries.length > MAX_FRAMES) refuse(`predicates must number 1 to ${MAX_FRAMES}`)
  const labelled = entries.map(([key, predicate]) => {
    const label = Array.isArray(predicates) ? `frame ${Number(key) + 1}` : key
    if (typeof predicate !== 'function') refuse(`'${label}' is not a function`)
    return { name: label, holds: predicate }
  })
  return { name, frames: labelled }
}

/** @throws ConditionError */
export function compileFrames({ name, frames }: KeyFramesData): KeyFrames {
  const compiled = frames.map((frame, index) => {
    const paths: PathUse[] = []
    return { name: frame.name, holds: parseCondition(frame.where, `frames[${index}].where`, paths), paths }
  })
  return { name, frames: compiled }
}

/** What is wrong with a file of key frames, in one line. */
export class FramesFileError extends Error {
  constructor(path: string, message: string) {
    super(`${path}: ${message}`)
    this.name = 'FramesFileError'
  }
}

/** The key frames of the `*.json` files of a folder, by file name. @throws FramesFileError */
export function readFramesFolder(folder: string): readonly KeyFramesData[] {
  const refuse = (why: string): never => {
    throw new FramesFileError(folder, why)
  }
  let names: string[]
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'))
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    return refuse({ ENOENT: 'no such folder', ENOTDIR: 'not a folder' }[code] ?? `cannot be read (${code})`)
  }
  if (names.length === 0) refuse('contains no files of key frames (*.json)')
  if (names.length > MAX_FILES) refuse(`contains more than ${MAX_FILES} files`)
  const all = names.sort().map((name) => readFramesFile(join(folder, name)))
  const twice = all.find(({ name }, at) => all.findIndex((other) => other.name === name) < at)
  return twice === undefined ? all : refuse(`two files have the "name" "${twice.name}"`)
}

/**
 * The key frames of a file, compiled.
 *
 * @public
 * @throws FramesFileError
 */
export function loadFrames(path: string): KeyFrames {
  return compileFrames(readFramesFile(path))
}

function readFramesFile(path: string): KeyFramesData {
  try {
    if (statSync(path).size <= MAX_BYTES) return parseFramesFile(path, readFileSync(path, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === undefined ? error : new FramesFileError(path, `cannot be read (${code})`)
  }
  throw new FramesFileError(path, `larger than ${MAX_BYTES} bytes`)
}

/** @param path for errors */
export function parseFramesFile(path: string, text: string): KeyFramesData {
  try {
    return checkFile(JSON.parse(text.replace(/^\ufeff/, '')))
  } catch (error) {
    if (error instanceof SyntaxError) throw new FramesFileError(path, `not valid JSON: ${jsonFault(error)}`)
    throw error instanceof ConditionError ? new FramesFileError(path, error.message) : error
  }
}

function checkFile(file: unknown): KeyFramesData {
  const { name, cluster, frames } = fieldsOf(file, 'the file', ['name', 'about', 'cluster', 'frames'])
  if (typeof name !== 'string' || name === '') throw new ConditionError('"name" must be a non-empty string')
  if (cluster !== undefined && typeof cluster !== 'string')
    throw new ConditionError('"cluster" must be the name of a cluster')
  if (!Array.isArray(frames) || frames.length === 0 || frames.length > MAX_FRAMES)
    throw new ConditionError(`"frames" must be an array of 1 to ${MAX_FRAMES} frames`)
  const checked = frames.map((frame: unknown, index) => {
    const { name = `frame ${index + 1}`, where } = fieldsOf(frame, `frames[${index}]`, ['name', 'about', 'where'])
    if (typeof name === 'string' && name !== '') return { name, where }
    throw new ConditionError(`frames[${index}].name must be a non-empty string`)
  })
  const data = { name, ...(cluster === undefined ? {} : { cluster }), frames: checked }
  compileFrames(data)
  return data
}

function fieldsOf(value: unknown, what: string, known: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ConditionError(`${what} must be an object`)
  const unknown = Object.keys(value).find((key) => !known.includes(key))
  if (unknown === undefined) return value as Record<string, unknown>
  throw new ConditionError(`${what} has an unknown key "${unknown}": use ${known.map((key) => `"${key}"`).join(', ')}`)
}
