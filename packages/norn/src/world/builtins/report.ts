/**
 * Intercepts `process.report.getReport`, from which programs read the C library of the machine
 * (detect-libc, loaders of addons). What a report says of the machine is read once in a process; what it
 * says of the program is that of the world, and what varies between runs is left empty.
 */
import { requireInternal } from '../../loader/internals.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import type { Activity } from '../realm/replace.ts'
import { replaceWhileActive } from '../realm/replace.ts'
import { wallMsOf } from '../time/clock.ts'

export interface ReportHost extends Activity {
  wallUs(): number
  running(): { readonly pid: number }
}

type Report = Record<string, unknown> & { readonly header: Record<string, unknown> }

/** The message of a report without an error. */
const SYNTHETIC = 'Error [ERR_SYNTHETIC]: JavaScript Callstack'

/** Parts of a report that have numbers of the process, or its handles. */
const VARYING = ['javascriptHeap', 'nativeStack', 'resourceUsage', 'uvthreadResourceUsage', 'libuv', 'workers']

export const report: Interceptor<ReportHost> = {
  name: 'process.report',
  install(host) {
    const { validateObject } = requireInternal<{ validateObject(value: unknown, name: string): void }>(
      'internal/validators',
    )
    const { getReport } = process.report
    let machine: Report | undefined
    replaceWhileActive(host, process.report, 'getReport', function get(error?: Error) {
      if (error !== undefined) validateObject(error, 'err')
      machine ??= ofMachine(getReport)
      const { header, ...parts } = structuredClone(machine)
      const atMs = wallMsOf(host)
      return {
        header: {
          ...header,
          dumpEventTime: `${new Date(atMs).toISOString().slice(0, 19)}Z`,
          dumpEventTimeStamp: `${atMs}`,
          processId: host.running().pid,
          cwd: process.cwd(),
          commandLine: [process.argv0, ...process.execArgv, ...process.argv.slice(1)],
        },
        ...parts,
        javascriptStack: error === undefined ? stackOf(called(get), SYNTHETIC) : stackOf(error),
        environmentVariables: { ...process.env },
      }
    })
  },
}

/** The report of this machine, without what varies between runs, in Node's order. */
function ofMachine(getReport: () => object): Report {
  const { report } = process as { report: { excludeNetwork?: boolean } }
  const before = report.excludeNetwork
  report.excludeNetwork = true
  const all = Reflect.apply(getReport, report, []) as Report
  if (before !== undefined) report.excludeNetwork = before
  for (const name of VARYING) if (name in all) all[name] = Array.isArray(all[name]) ? [] : {}
  const { host, ...header } = all.header
  return { ...all, header: { ...header, cpus: [], networkInterfaces: [], host } }
}

function stackOf(error: Error, says?: string): object {
  const [message, ...stack] = `${error.stack}`.split('\n')
  return { message: says ?? message, stack: stack.map((line) => line.trim()), errorProperties: { ...error } }
}

function called(from: Function): Error {
  const error = new Error('')
  Error.captureStackTrace(error, from)
  return error
}
