/**
 * Names and paths as POSIX has them: strings of bytes.
 *
 * Invariant: in the tree a name is a byte string, one character (U+0000 to U+00FF) per byte. ASCII
 * names equal their text, so nothing is converted; comparison is by bytes, the order in which
 * libuv's scandir lists directories. Names that are not UTF-8 survive, as on Linux.
 */
import { Buffer } from 'node:buffer'

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII, from its first character
const BEYOND_ASCII = /[^\x00-\x7f]/

/**
 * The byte string of a path as Node's binding takes it: strings are encoded as UTF-8, Buffers taken
 * as they are.
 */
export function bytesOf(path: string | Uint8Array): string {
  if (typeof path === 'string') return BEYOND_ASCII.test(path) ? Buffer.from(path, 'utf8').toString('latin1') : path
  return Buffer.from(path.buffer, path.byteOffset, path.byteLength).toString('latin1')
}

/** The text of a byte string; bytes that are not UTF-8 become U+FFFD. */
export function textOf(bytes: string): string {
  return BEYOND_ASCII.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes
}

/** A name in the encoding requested from readdir, readlink, realpath or mkdtemp. */
export function encoded(bytes: string, encoding: unknown): string | Buffer {
  if (encoding === undefined || encoding === null || encoding === 'utf8' || encoding === 'utf-8') return textOf(bytes)
  const buffer = Buffer.from(bytes, 'latin1')
  return encoding === 'buffer' ? buffer : buffer.toString(encodingOf(encoding))
}

/** The encoding of that name; UTF-8 for any other value, as Node's C++ reads it. */
export function encodingOf(given: unknown): BufferEncoding {
  return Buffer.isEncoding(given as string) ? (given as BufferEncoding) : 'utf8'
}

/** A path for Node's real functions, whatever its bytes. */
export function realPath(bytes: string): string | Buffer {
  return BEYOND_ASCII.test(bytes) ? Buffer.from(bytes, 'latin1') : bytes
}
