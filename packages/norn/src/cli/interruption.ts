/** Ctrl-C and SIGTERM: the first ends the search and reports it, the second ends the process at once. */

/** Aborted by the first signal, whose name is the reason, until `ignore` restores the default. */
export function interruption(): { signal: AbortSignal; ignore(): void } {
  const controller = new AbortController()
  const onSignal = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(name === 'SIGINT' ? 130 : 143)
    controller.abort(name)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return {
    signal: controller.signal,
    ignore() {
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
    },
  }
}

/** Ends the process on a signal, through `exit`, so that workers and their folders go with it. */
export function exitOnSignal(): { ignore(): void } {
  const onInterrupt = () => process.exit(130)
  const onTerminate = () => process.exit(143)
  process.on('SIGINT', onInterrupt)
  process.on('SIGTERM', onTerminate)
  return {
    ignore() {
      process.off('SIGINT', onInterrupt)
      process.off('SIGTERM', onTerminate)
    },
  }
}
