/**
 * Random values for the input lane: uniform, with a bias towards edges (bounds, the simplest value,
 * their neighbours, powers of two).
 *
 * fast-check's own bias is disabled. It uses extra draws, which blur what a changed choice means
 * (measured: 26-47 % of changed draws left the value as it was).
 */

import { clamp, simplestValue } from '../contract/choice.ts'
import type { Chance } from './chance.ts'

const EDGE_SHARE = 0.15
const SMALL_SHARE = 0.15

/** Narrower ranges are drawn uniformly: every value is an edge. */
const NARROW = 8

export function proposeInput<Value extends number | bigint>(chance: Chance, min: Value, max: Value): Value {
  // A difference of safe integers that is rounded is far from narrow.
  if (max - min < NARROW) return uniform(chance, min, max)
  const kind = chance.unit()
  if (kind < EDGE_SHARE) return clamp(edge(chance, min, max), min, max)
  if (kind < EDGE_SHARE + SMALL_SHARE) return clamp(offset(simplestValue(min, max), chance.integer(-3, 8)), min, max)
  return uniform(chance, min, max)
}

function uniform<Value extends number | bigint>(chance: Chance, min: Value, max: Value): Value {
  if (typeof min === 'bigint') return chance.bigint(min, max as bigint) as Value
  return chance.integer(min as number, max as number) as Value
}

function edge<Value extends number | bigint>(chance: Chance, min: Value, max: Value): Value {
  const centre = [min, max, simplestValue(min, max)][chance.integer(0, 2)]!
  const around = chance.integer(-1, 1)
  if (chance.coin(0.3)) {
    const bits = BigInt(max) - BigInt(min) <= 0xffff_ffffn ? 31 : 62
    const power = 2n ** BigInt(chance.integer(1, bits)) + BigInt(around)
    const signed = chance.coin(0.5) ? power : -power
    return (typeof min === 'bigint' ? signed : Number(clamp(signed, BigInt(min), BigInt(max)))) as Value
  }
  return offset(centre, around)
}

function offset<Value extends number | bigint>(value: Value, by: number): Value {
  return (typeof value === 'bigint' ? value + BigInt(by) : (value as number) + by) as Value
}
