/** Validates the options `network` and `slow`. */
import { unknownText } from '../contract/known-names.ts'
import { type NetworkOptions, parseHost, parseNetworkLatency, parseRange } from './latency-ranges.ts'
import { type Refuse, shown } from './refusal.ts'

const OPTIONS = Object.keys({ latency: 0, hosts: 0 } satisfies Record<keyof NetworkOptions, 0>)

/**
 * @param refuse throws an error that names the property or the configuration
 * @throws for an unknown name, a host that is none, or a latency that is none
 */
export function checkNetwork(network: unknown, refuse: Refuse): void {
  if (network === undefined) return
  checkObject('network', network, "{ latency: 'datacenter' }", refuse)
  for (const key of Object.keys(network as object))
    if (!OPTIONS.includes(key)) refuse(`option network: ${unknownText(key, OPTIONS)}`)
  const { latency, hosts } = network as { latency?: unknown; hosts?: unknown }
  if (latency !== undefined) checkBy(parseNetworkLatency, 'network.latency', latency, refuse)
  if (hosts === undefined) return
  checkObject('network.hosts', hosts, "{ 'db.internal': 'datacenter' }", refuse)
  for (const [host, value] of Object.entries(hosts as object)) {
    const where = `network.hosts['${host}']`
    if (parseHost(host) === undefined)
      refuse(`option ${where}: the key must be a host name or an address, with or without a port`)
    checkBy(parseNetworkLatency, where, value, refuse)
  }
}

export function checkSlow(slow: unknown, refuse: Refuse): void {
  if (slow === undefined) return
  checkObject('slow', slow, "{ 'GET /seats': '200ms..2s' }", refuse)
  for (const [pattern, value] of Object.entries(slow as object)) {
    if (pattern.trim() === '') refuse("option slow: a pattern must not be empty. Write '*' for every operation")
    checkBy(parseRange, `slow['${pattern}']`, value, refuse)
  }
}

function checkObject(option: string, value: unknown, example: string, refuse: Refuse): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    refuse(`option ${option} must be an object such as ${example}: ${shown(value)}`)
}

function checkBy(parse: (value: unknown) => unknown, option: string, value: unknown, refuse: Refuse): void {
  let expected: string
  try {
    parse(value)
    return
  } catch (error) {
    expected = (error as Error).message
  }
  refuse(`option ${option} ${expected}: ${valueText(value)}`)
}

function valueText(value: unknown): string {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : shown(value)
}
