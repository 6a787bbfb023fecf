/**
 * Host names and addresses as text: the forms that resolvers accept, brought to one form.
 * Follows glibc's getaddrinfo (numeric forms), RFC 1035 and c-ares (names in queries), RFC 3596
 * (names of addresses).
 */
import { isAscii } from 'node:buffer'
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

const MAX_NAME = 253
const MAX_LABEL = 63

/** The name in the characters of queries; itself if it cannot be written so. */
export function asciiName(name: string): string {
  return isAscii(Buffer.from(name)) ? name : domainToASCII(name) || name
}

/** The form of a name by which it is found: ASCII, in lower case, without the dot at its end. */
export function normalName(name: string): string {
  return asciiName(name).toLowerCase().replace(/\.$/, '')
}

/** Whether a query may ask for the name, in ASCII; names in queries have few forbidden characters. */
export function isQueryable(name: string): boolean {
  if (name === '' || name === '.') return true
  const labels = normalName(name).split('.')
  const fits = normalName(name).length <= MAX_NAME
  return fits && labels.every((part) => part !== '' && part.length <= MAX_LABEL && /^[\w\-/*\\]+$/.test(part))
}

/** The address of a number in any of the forms of `inet_aton`: `127.1`, `0x7f.1`, `2130706433`. */
export function numericAddress(text: string): string | undefined {
  const parts = text.split('.')
  if (parts.length > 4 || !parts.every((part) => /^(0x[\da-f]+|0[0-7]*|[1-9]\d*)$/i.test(part))) return undefined
  const numbers = parts.map((part) => (/^0[0-7]/.test(part) ? Number.parseInt(part, 8) : Number(part)))
  const last = numbers.pop()!
  if (numbers.some((byte) => byte > 255) || last >= 256 ** (4 - numbers.length)) return undefined
  const whole = numbers.reduce((sum, byte, index) => sum + byte * 256 ** (3 - index), last)
  return [24, 16, 8, 0].map((shift) => (whole / 2 ** shift) & 255).join('.')
}

/** The one form of an address: IPv6 in lower case, without its zone, with zeros compressed. */
export function normalAddress(address: string): string {
  if (isIP(address) !== 6) return address
  const groups = groupsOf(address)
  // The first of the longest runs of zeros, of two groups at least, becomes `::` (RFC 5952).
  let start = -1
  let length = 1
  for (let from = 0; from < 8; from++) {
    let to = from
    while (to < 8 && groups[to] === 0) to++
    if (to - from > length) [start, length] = [from, to - from]
  }
  const text = (part: number[]) => part.map((group) => group.toString(16)).join(':')
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return `::ffff:${groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.')}`
  }
  return start < 0 ? text(groups) : `${text(groups.slice(0, start))}::${text(groups.slice(start + length))}`
}

/** The name whose PTR records name the address, such as `1.0.0.127.in-addr.arpa`. */
export function reverseName(address: string): string {
  if (isIP(address) === 4) return `${address.split('.').reverse().join('.')}.in-addr.arpa`
  const digits = groupsOf(address).map((group) => group.toString(16).padStart(4, '0'))
  return `${[...digits.join('')].reverse().join('.')}.ip6.arpa`
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const plain = address.replace(/%.*$/, '').replace(/[\d.]+$/, (tail) => {
    if (!tail.includes('.')) return tail
    const [a, b, c, d] = tail.split('.').map(Number) as [number, number, number, number]
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  const halves = plain.split('::').map((half) => (half === '' ? [] : half.split(':')))
  const [head, tail] = [halves[0]!, halves[1] ?? []]
  const zeros = Array<string>(8 - head.length - tail.length).fill('0')
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16))
}
