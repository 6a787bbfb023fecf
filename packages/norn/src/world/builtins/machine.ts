/**
 * Intercepts readings of the machine and the process that vary with time: load, memory, processor
 * time. Under the world they are constant or follow the virtual clock. The interfaces are those that
 * the network has. What is fixed for a machine (its name, its processors) is real.
 */

import os from 'node:os'
import process from 'node:process'
import v8 from 'node:v8'
import type { Interceptor } from '../loop/interceptor.ts'
import { define, replaceWhileActive } from '../realm/replace.ts'
import { type ClockHost, UPTIME_US } from '../time/clock.ts'

const GIB = 2 ** 30
const MEMORY = { rss: 5e7, heapTotal: 2e7, heapUsed: 1e7, external: 1e6, arrayBuffers: 1e4 }

/** Fields of `v8.getHeapStatistics()`; all others are 0. */
const HEAP: Record<string, number> = {
  total_heap_size: MEMORY.heapTotal,
  used_heap_size: MEMORY.heapUsed,
  total_physical_size: MEMORY.heapTotal,
  total_available_size: 4 * GIB,
  heap_size_limit: 4 * GIB,
  malloced_memory: 1e6,
  external_memory: MEMORY.external,
  number_of_native_contexts: 1,
}

const LOOPBACK = { mac: '00:00:00:00:00:00', internal: true } as const

/** The one interface whose addresses a program can listen on under the world. */
const INTERFACES: ReturnType<typeof os.networkInterfaces> = {
  lo: [
    { address: '127.0.0.1', netmask: '255.0.0.0', family: 'IPv4', ...LOOPBACK, cidr: '127.0.0.1/8' },
    {
      address: '::1',
      netmask: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
      family: 'IPv6',
      ...LOOPBACK,
      cidr: '::1/128',
      scopeid: 0,
    },
  ],
}

interface CpuUsage {
  user: number
  system: number
}

export const machine: Interceptor<ClockHost> = {
  name: 'the machine',
  builtins: {
    os: {
      controlled: 'uptime loadavg freemem cpus networkInterfaces',
      uncontrolled: 'setPriority',
      plain:
        'arch availableParallelism endianness getPriority homedir hostname platform release tmpdir ' +
        'totalmem type userInfo version machine',
    },
    v8: {
      controlled: 'getHeapStatistics getHeapSpaceStatistics getHeapCodeStatistics',
      uncontrolled:
        'writeHeapSnapshot getHeapSnapshot setHeapSnapshotNearHeapLimit setFlagsFromString queryObjects takeCoverage ' +
        'stopCoverage startCpuProfile startHeapProfile setHeapProfileNearHeapLimit GCProfiler getCppHeapStatistics',
      plain:
        'cachedDataVersionTag Serializer Deserializer DefaultSerializer DefaultDeserializer serialize deserialize ' +
        'isStringOneByteRepresentation',
    },
  },
  install: interceptMachine,
}

function interceptMachine(host: ClockHost): void {
  const intercept = (object: object, name: string, mine: Function) => replaceWhileActive(host, object, name, mine)
  intercept(os, 'uptime', () => 1000 + Math.floor(host.nowUs() / 1e6))
  intercept(os, 'loadavg', () => [0, 0, 0])
  intercept(os, 'freemem', () => 4 * GIB)
  intercept(os, 'networkInterfaces', () => structuredClone(INTERFACES))
  const cpus = os.cpus()
  const times = { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 }
  intercept(os, 'cpus', () => cpus.map((cpu) => ({ ...cpu, speed: 0, times: { ...times } })))

  const { rss } = process.memoryUsage
  intercept(process, 'memoryUsage', () => ({ ...MEMORY }))
  define(process.memoryUsage, 'rss', () => (host.active() ? MEMORY.rss : rss()))
  intercept(process, 'availableMemory', () => 4 * GIB)
  const cpu = (previous?: CpuUsage): CpuUsage => ({
    user: UPTIME_US + host.nowUs() - (previous?.user ?? 0),
    system: 0 - (previous?.system ?? 0),
  })
  for (const name of ['cpuUsage', 'threadCpuUsage'] as const) {
    const real = process[name]
    // Node checks the argument.
    const checked = (previous?: CpuUsage) => {
      if (previous) real.call(process, previous)
      return cpu(previous)
    }
    if (real !== undefined) intercept(process, name, checked)
  }
  const usage = Object.keys(process.resourceUsage())
  intercept(process, 'resourceUsage', () => Object.fromEntries(usage.map((name) => [name, resource(name, cpu().user)])))

  const heap = Object.keys(v8.getHeapStatistics())
  intercept(v8, 'getHeapStatistics', () => Object.fromEntries(heap.map((name) => [name, HEAP[name] ?? 0])))
  intercept(v8, 'getHeapSpaceStatistics', () => [])
  const code = Object.keys(v8.getHeapCodeStatistics())
  intercept(v8, 'getHeapCodeStatistics', () => Object.fromEntries(code.map((name) => [name, 0])))
}

function resource(name: string, cpuUs: number): number {
  if (name === 'userCPUTime') return cpuUs
  return name === 'maxRSS' ? MEMORY.rss / 1000 : 0
}
