/**
 * DER (ITU-T X.690), as far as keys need it: elements that follow each other, with definite lengths and tags of one byte.
 */
import { Buffer } from 'node:buffer'

export const INTEGER = 0x02
export const BIT_STRING = 0x03
export const OCTET_STRING = 0x04
export const SEQUENCE = 0x30

/** The elements inside an element, each whole. */
export function children(element: Buffer): Buffer[] {
  const inner = content(element)
  const elements: Buffer[] = []
  for (let at = 0; at < inner.length; at += elements.at(-1)!.length) {
    const { from, to } = extent(inner.subarray(at))
    if (from > to || at + to > inner.length) throw new Error('an element of DER ends after what it stands in')
    elements.push(inner.subarray(at, at + to))
  }
  return elements
}

/** What an element holds, without its tag and its length. */
export function content(element: Buffer): Buffer {
  const { from, to } = extent(element)
  return element.subarray(from, to)
}

/** An element of some tag that holds the parts one after the other. */
export function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const inner = Buffer.concat(parts)
  if (inner.length < 0x80) return Buffer.concat([Buffer.of(tag, inner.length), inner])
  const length = bytesOf(BigInt(inner.length))
  return Buffer.concat([Buffer.of(tag, 0x80 | length.length), length, inner])
}

/** An integer that is not negative. */
export function integer(value: bigint): Buffer {
  const bytes = bytesOf(value)
  return element(INTEGER, bytes[0]! < 0x80 ? bytes : Buffer.concat([Buffer.of(0), bytes]))
}

/** The bytes of a number, most significant first; to `length` if it is given. */
export function bytesOf(value: bigint, length = 0): Buffer {
  const digits = value.toString(16)
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
  return bytes.length >= length ? bytes : Buffer.concat([Buffer.alloc(length - bytes.length), bytes])
}

export function numberOf(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}

function extent(element: Buffer): { from: number; to: number } {
  const first = element[1] ?? 0
  if (first < 0x80) return { from: 2, to: 2 + first }
  const from = 2 + (first & 0x7f)
  return { from, to: from + Number(numberOf(element.subarray(2, from))) }
}
