/** Loaded into a process with --import: writes what it has used to the file NORN_BENCH_USAGE at exit. */
import { writeFileSync } from 'node:fs'

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  const usage = { processorMs: (userCPUTime + systemCPUTime) / 1000, peakMib: maxRSS / 1024 }
  writeFileSync(process.env.NORN_BENCH_USAGE!, JSON.stringify(usage))
})
