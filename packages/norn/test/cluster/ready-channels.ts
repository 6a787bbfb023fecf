import type { Network } from '../../src/cluster/network.ts'

/** The channels with messages that can get through. */
export function readyChannels(network: Network): [from: number, to: number][] {
  const ready: [number, number][] = []
  network.eachReady((from, to) => ready.push([from, to]))
  return ready
}
