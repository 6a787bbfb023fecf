/**
 * The way of a datagram from the socket that sends it to those that receive it.
 *
 * Invariant: unless the network is faulty, what one socket sends to another keeps its order, and
 * nothing is lost but what a full buffer has no room for.
 */

import { type Address, isAny, map, shown } from '../network/addresses.ts'
import { type Datagrams, isBroadcast, isMulticast, plain, sourceOf } from '../network/datagrams.ts'
import type { HostNames } from '../network/host-names.ts'
import { ways } from '../network/latencies.ts'
import type { NetworkHost } from '../network/network-host.ts'
import type { Approaching } from '../realm/replace.ts'
import type { KernelSocket } from './kernel-socket.ts'

export interface UdpHost extends NetworkHost, Approaching {
  /** The names that the world of this execution knows. */
  names(): HostNames
}

/** How long one waits for the datagram that overtakes it, unless the network is slower. */
const OVERTAKEN_US = 20_000

/**
 * @param bytes no one else changes them
 * @returns the number of sockets that it is for
 */
export function deliver(
  host: UdpHost,
  datagrams: Datagrams<KernelSocket>,
  sender: KernelSocket,
  to: Address,
  bytes: Uint8Array,
): number {
  const { announce, nowUs } = host
  const bound = plain(sender.bound!)
  const address = isAny(sender.bound!.address) ? sourceOf(to) : bound.address
  const from: Address = { family: to.family, address, port: bound.port }
  const isToMany = isMulticast(to.address) || isBroadcast(to.address)
  const one = isToMany ? undefined : datagrams.receiver(from, to)
  const receivers = isToMany ? datagrams.receivers(from, to) : one === undefined ? [] : [one]
  const heard = isMulticast(to.address) && !sender.loopsBack ? [] : receivers
  const isRefused =
    receivers.length === 0 && sender.peer !== undefined && !isToMany && host.names().isInside(to.address)
  if (heard.length === 0 && !isRefused) return receivers.length
  const link = host.link(to, from)
  const kind = isRefused ? 'refused' : 'message'
  // That nobody is there, comes back from there.
  const passed = isRefused ? ways(2, link) : link
  const { step, delayUs } = announce(kind, shown(to), 'callback', 0, undefined, passed)
  const atUs = nowUs() + delayUs
  if (isRefused) sender.refuse({ step, delayUs, atUs })
  for (const receiver of heard) {
    const arrivesUs = Math.max(atUs, sender.sentUs.get(receiver) ?? 0)
    sender.sentUs.set(receiver, arrivesUs)
    const seen = receiver.bound!.family === from.family ? from : { ...from, family: 6 as const, address: map(address) }
    const datagram = { bytes: bytes.slice(), from: seen, step, delayUs, atUs: arrivesUs }
    const fault = host.networkFaults.at('message', { step, kind: 'message', resource: shown(to) })
    if (fault === 'lost') continue
    const overtaken = sender.overtaken.get(receiver)
    if (fault === 'overtaken') {
      const late = { ...datagram, atUs: arrivesUs + (link?.boundUs || OVERTAKEN_US) }
      sender.overtaken.set(receiver, late)
      receiver.receive(late)
      continue
    }
    receiver.receive(datagram)
    if (overtaken !== undefined) {
      sender.overtaken.delete(receiver)
      receiver.hasten(overtaken, arrivesUs)
    }
    if (fault !== 'duplicated') continue
    const again = announce('message', shown(to), 'callback', 0, undefined, link)
    receiver.receive({ ...datagram, bytes: bytes.slice(), ...again, atUs: nowUs() + again.delayUs })
  }
  return receivers.length
}
