/**
 * Natives of Json: `toPlain` (plain.ts) as text, and back. Arrays are read as sequences and objects
 * as records, so sets and functions with other keys are not read back as they were.
 */

import { jsonFault } from '#shared/json-fault'
import type { Arena } from '../../values/arena.ts'
import { canonical } from '../../values/canonical.ts'
import { toPlain } from '../../values/plain.ts'
import { refusal } from '../../values/refuse.ts'
import type { Canonical, Value } from '../../values/value.ts'
import { readText, writeText } from '../files.ts'
import { impure, type NativeTable, pure } from '../native.ts'
import { sequence, text, toListedFunction, wrongOperand } from '../operands.ts'
import { LARGEST, SMALLEST } from './numbers.ts'

/** Bound on the nesting of arrays and objects. */
const DEEPEST = 500

export function toJson(value: Value): string {
  return JSON.stringify(toPlain(canonical(value)))
}

/** @param where names the source in messages: `the file trace.json` */
function fromJson(arena: Arena, json: string, where: string): Canonical {
  let data: unknown
  try {
    data = MAY_BE_ROUNDED.test(json) ? JSON.parse(json, asWritten) : JSON.parse(json)
  } catch (error) {
    throw refusal(`${where} is not JSON: ${jsonFault(error)}`)
  }
  return toValue(arena, data, where, 0)
}

const MAY_BE_ROUNDED = /\d{16}|\d[eE]/

/** Integers that JavaScript would round stay text, so that distinct numbers stay distinct. */
function asWritten(_key: string, data: unknown, { source }: { readonly source?: string } = {}): unknown {
  return typeof data === 'number' && Math.abs(data) > Number.MAX_SAFE_INTEGER ? source : data
}

/**
 * As in TLC, numbers lose their fraction. Departs for more than 32 bits, of which TLC keeps the
 * last 32: a string, since logs are full of times that a specification does not read.
 */
function toNumber(arena: Arena, data: number): Canonical {
  const whole = Math.trunc(data) + 0
  return whole >= SMALLEST && whole <= LARGEST ? whole : arena.string(String(data))
}

function toValue(arena: Arena, data: unknown, where: string, depth: number): Canonical {
  if (depth > DEEPEST) throw refusal(`${where} nests more than ${DEEPEST} arrays and objects`)
  switch (typeof data) {
    case 'boolean':
      return data
    case 'string':
      return arena.string(data)
    case 'number':
      return toNumber(arena, data)
    default: {
      if (data === null) throw refusal(`${where} holds null, which has no counterpart in TLA+`)
      if (Array.isArray(data)) return arena.tuple(data.map((element) => toValue(arena, element, where, depth + 1)))
      const fields = data as Readonly<Record<string, unknown>>
      const shape = arena.shape(Object.keys(fields))
      if (shape.names.length === 0) return arena.emptyTuple
      const elements = shape.names.map((name) => toValue(arena, fields[name], where, depth + 1))
      return arena.record(shape, elements)
    }
  }
}

/** A function as an object; as in TLC, the keys of a sequence are its indices from 0. */
function toObject(value: Value): string {
  const listed = canonical(value)
  const kind = typeof listed === 'object' ? listed.kind : ''
  if (kind === 'tuple') return JSON.stringify({ ...(toPlain(listed) as unknown[]) })
  if (kind === 'record' || kind === 'function') return toJson(listed)
  throw wrongOperand('only', 'ToJsonObject', 'a function', value)
}

function toArray(value: Value): string {
  const listed = canonical(value)
  const kind = typeof listed === 'object' ? listed.kind : ''
  if (kind === 'tuple' || kind === 'set' || kind === 'function') return toJson(listed)
  throw wrongOperand('only', 'ToJsonArray', 'a sequence, a set or a function other than a record', value)
}

/** A sequence or record: what JsonSerialize accepts. */
function isDocument(value: Value): boolean {
  const listed = toListedFunction(value)
  return listed !== undefined && listed.kind !== 'function'
}

export const JSON_MODULE: NativeTable = {
  ToJson: pure(
    ({ arena }) =>
      (value: Value) =>
        arena.string(toJson(value)),
  ),
  ToJsonArray: pure(
    ({ arena }) =>
      (value: Value) =>
        arena.string(toArray(value)),
  ),
  ToJsonObject: pure(
    ({ arena }) =>
      (value: Value) =>
        arena.string(toObject(value)),
  ),
  JsonSerialize: impure(({ platform }) => (path: Value, value: Value) => {
    const file = text(path, 'first', 'JsonSerialize')
    if (!isDocument(value)) throw wrongOperand('second', 'JsonSerialize', 'a sequence or a record', value)
    writeText(platform.files, file, toJson(value))
    return true
  }),
  JsonDeserialize: pure(({ arena, platform }) => (path: Value) => {
    const file = text(path, 'only', 'JsonDeserialize')
    return fromJson(arena, readText(platform.files, file), `the file ${file}`)
  }),
  ndJsonSerialize: impure(({ platform }) => (path: Value, value: Value) => {
    const file = text(path, 'first', 'ndJsonSerialize')
    const lines = sequence(value, 'second', 'ndJsonSerialize').map((element) => `${toJson(element)}\n`)
    writeText(platform.files, file, lines.join(''))
    return true
  }),
  ndJsonDeserialize: pure(({ arena, platform }) => (path: Value) => {
    const file = text(path, 'only', 'ndJsonDeserialize')
    const values: Canonical[] = []
    for (const [at, line] of readText(platform.files, file)
      .split(/\r\n|\n|\r/)
      .entries()) {
      if (line.trim() !== '') values.push(fromJson(arena, line, `line ${at + 1} of the file ${file}`))
    }
    return arena.tuple(values)
  }),
}
