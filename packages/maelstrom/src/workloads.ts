/**
 * The workloads of Maelstrom (doc/workloads.md there) as options of `cluster`: what clients ask, and
 * what must hold.
 */
import fc from 'fast-check'
import type { ClusterOptions } from 'norn/cluster'
import { isolation, linearizable } from 'norn/history'
import { unknownText } from 'norn/internal/cluster'
import { MODELS } from 'norn-history'
import { COUNTER, type Convergent, checkEcho, convergesTo, GROWING_SET } from './checks.ts'
import { checkKafka } from './kafka.ts'
import { type MaelstromOptions, type MaelstromRequest, maelstrom } from './maelstrom.ts'
import type { ServiceName } from './services.ts'

/** @public */
export type WorkloadName =
  | 'echo'
  | 'broadcast'
  | 'g-set'
  | 'g-counter'
  | 'pn-counter'
  | 'lin-kv'
  | 'txn-list-append'
  | 'kafka'

/**
 * The options of `workload`.
 *
 * @public
 */
export interface WorkloadOptions extends Omit<MaelstromOptions, 'nodes' | 'setup'> {
  /** How many nodes there are. Default: 3. */
  readonly nodes?: number
  /** The most requests of an execution. Default: 10. */
  readonly requests?: number
}

interface Workload {
  readonly services?: readonly ServiceName[]
  readonly setup?: MaelstromOptions['setup']
  readonly requests: (most: number) => fc.Arbitrary<readonly MaelstromRequest[]>
  readonly options: Partial<ClusterOptions<MaelstromRequest>>
}

const CONVERGENCE_MS = 120_000

const KEY = fc.integer({ min: 0, max: 1 })
const VALUE = fc.integer({ min: 0, max: 9 })

/** Any length: by default fast-check makes short arrays. */
const lengthUpTo = (most: number) => ({ minLength: 1, maxLength: most, size: 'max' }) as const

const READ: fc.Arbitrary<MaelstromRequest> = fc.constant({ type: 'read' })

const converging = (what: string, convergent: Convergent) => convergesTo(what, convergent, CONVERGENCE_MS)

const some =
  (each: fc.Arbitrary<MaelstromRequest>): Workload['requests'] =>
  (most) =>
    fc.array(each, lengthUpTo(most))

/** Each addition gets an element of its own. */
const additions =
  (add: (element: number) => MaelstromRequest): Workload['requests'] =>
  (most) =>
    fc
      .array(fc.boolean(), lengthUpTo(most))
      .map((reads) => reads.map((isRead, at) => (isRead ? { type: 'read' } : add(at))))

const counter = (least: number): Workload['requests'] =>
  some(
    fc.oneof(
      READ,
      fc.integer({ min: least, max: 5 }).map((delta) => ({ type: 'add', delta })),
    ),
  )

const WORKLOADS: Readonly<Record<WorkloadName, Workload>> = {
  echo: {
    requests: some(fc.integer({ min: 0, max: 127 }).map((echo) => ({ type: 'echo', echo }))),
    options: { check: checkEcho },
  },
  broadcast: {
    setup: (node, nodes) => [{ type: 'topology', topology: topology(node, nodes) }],
    requests: additions((message) => ({ type: 'broadcast', message })),
    options: converging('all nodes have all messages', GROWING_SET),
  },
  'g-set': {
    requests: additions((element) => ({ type: 'add', element })),
    options: converging('all nodes have all elements', GROWING_SET),
  },
  'g-counter': {
    services: ['seq-kv'],
    requests: counter(0),
    options: converging('all nodes have the sum', COUNTER),
  },
  'pn-counter': {
    requests: counter(-5),
    options: converging('all nodes have the sum', COUNTER),
  },
  'lin-kv': {
    services: ['lin-kv'],
    requests: some(
      fc.oneof(
        fc.record({ type: fc.constant('read'), key: KEY }),
        fc.record({ type: fc.constant('write'), key: KEY, value: VALUE }),
        fc.record({ type: fc.constant('cas'), key: KEY, from: VALUE, to: VALUE }),
      ),
    ),
    options: { invariant: linearizable(MODELS['cas-register']), requestEveryMs: 1000 },
  },
  'txn-list-append': {
    services: ['lin-kv', 'lww-kv', 'seq-kv', 'lin-tso'],
    requests: (most) =>
      fc.array(fc.array(fc.tuple(fc.boolean(), KEY), lengthUpTo(3)), lengthUpTo(most)).map(transactions),
    options: { invariant: isolation('list-append', { consistency: 'strict-serializable' }), requestEveryMs: 100 },
  },
  kafka: {
    services: ['lin-kv', 'seq-kv', 'lww-kv'],
    requests: (most) => fc.array(fc.tuple(fc.nat(3), KEY, fc.nat(3)), lengthUpTo(most)).map(streams),
    options: { check: checkKafka },
  },
}

/**
 * The options of a cluster for a workload of Maelstrom.
 *
 * @public
 * @param command the program of a node, looked up in PATH, and its arguments
 * @throws TypeError for an unknown workload or option
 */
export function workload(
  name: WorkloadName,
  command: readonly string[],
  options: WorkloadOptions = {},
): ClusterOptions<MaelstromRequest> {
  const found = Object.hasOwn(WORKLOADS, name) ? WORKLOADS[name] : undefined
  if (found === undefined) {
    throw new TypeError(`workload(name, command): name: ${unknownText(name, Object.keys(WORKLOADS))}`)
  }
  const { nodes: count = 3, requests = 10, services = found.services ?? [], ...rest } = options
  const nodes = Array.from({ length: count }, (_, at) => `n${at}`)
  const { requests: requestsOf, options: expected } = found
  const observes = expected.eventually !== undefined
  return {
    system: () => maelstrom(command, { ...rest, nodes, services, setup: found.setup, observer: observes }),
    network: { order: 'any' },
    requests: requestsOf(requests).chain((made) =>
      fc
        .array(fc.constantFrom(...nodes), { minLength: made.length, maxLength: made.length })
        .map((chosen) => made.map((request, at) => ({ ...request, node: chosen[at]! }))),
    ),
    route: ({ node }) => node as string,
    ...expected,
  }
}

/** A line, as Maelstrom's own default is a grid: nodes that are far from each other must pass messages on. */
function topology(_: string, nodes: readonly string[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(nodes.map((node, at) => [node, nodes.filter((_, other) => Math.abs(other - at) === 1)]))
}

/** Appends get elements of their own. */
function transactions(drawn: readonly (readonly (readonly [boolean, number])[])[]): readonly MaelstromRequest[] {
  let element = 0
  return drawn.map((steps) => ({
    type: 'txn',
    txn: steps.map(([isRead, key]) => (isRead ? ['r', key, null] : ['append', key, element++])),
  }))
}

function streams(drawn: readonly (readonly [number, number, number])[]): readonly MaelstromRequest[] {
  return drawn.map(([what, number, offset], at) => {
    const key = `k${number}`
    if (what < 2) return { type: 'send', key, msg: at }
    if (what === 2) return { type: 'poll', offsets: { [key]: offset } }
    return offset < 2
      ? { type: 'commit_offsets', offsets: { [key]: offset } }
      : { type: 'list_committed_offsets', keys: [key] }
  })
}
