import type { Network } from '../../src/cluster/network.ts'

/** The channels with messages that can get through. */
export function readyChannels(network: Network): [from: number, to: number][] {
  const ready = network.active.filter((channel) => network.isOpen(channel)).map((channel) => network.head(channel)!)
  return ready.map(({ from, to }) => [from, to])
}
