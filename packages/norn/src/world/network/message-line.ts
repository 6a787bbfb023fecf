/** The first line of an HTTP message, by which people know it. */

/** A line this long at most is looked for, and this much of a path is shown. */
const MAX_LINE = 2000
const MAX_PATH = 60

/** `GET /items` or `200 OK` if bytes begin with that of an HTTP/1 message; otherwise undefined. */
export function messageLine(bytes: Uint8Array): string | undefined {
  // Most bytes are of no message: capitals begin each.
  if (bytes.length < 16 || bytes[0]! < 65 || bytes[0]! > 90) return undefined
  const end = bytes.subarray(0, MAX_LINE).indexOf(13)
  if (end < 0) return undefined
  const line = Buffer.from(bytes.buffer, bytes.byteOffset, end).toString('latin1')
  const request = /^([A-Z-]+) (\S+) HTTP\/1\.[01]$/.exec(line)
  if (request !== null) return `${request[1]} ${shortened(request[2]!)}`
  return /^HTTP\/1\.[01] (\d{3}.*)$/.exec(line)?.[1]
}

function shortened(path: string): string {
  return path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path
}
