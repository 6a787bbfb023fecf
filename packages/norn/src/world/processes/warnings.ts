/**
 * The listener with which a process of Node prints its warnings; the body's own has none, as norn starts it so.
 *
 * Follows `onWarning` of lib/internal/process/warning.js, which says once in a process how to see where a warning comes
 * from. Not here: warnings that go to a file.
 */
import process from 'node:process'

interface Warning extends Error {
  readonly code?: string
  readonly detail?: unknown
}

/** Listens for the warnings of the running process, unless its options or its environment keep them quiet. */
export function printWarnings(): void {
  const { env, execArgv } = process
  const has = (option: string) => execArgv.includes(option)
  if (has('--no-deprecation')) Object.assign(process, { noDeprecation: true })
  if (has('--no-warnings') || env.NODE_NO_WARNINGS === '1') return
  const tracesAll = has('--trace-warnings')
  let isHintGiven = false
  process.on('warning', (warning: Warning) => {
    if (!(warning instanceof Error)) return
    const isDeprecation = warning.name === 'DeprecationWarning'
    if (isDeprecation && process.noDeprecation) return
    const isTraced = tracesAll || (isDeprecation && (has('--trace-deprecation') || process.traceDeprecation))
    const code = warning.code ? `[${warning.code}] ` : ''
    const detail = typeof warning.detail === 'string' ? `\n${warning.detail}` : ''
    let text = `(node:${process.pid}) ${code}${isTraced && warning.stack ? warning.stack : `${warning}`}${detail}`
    if (!isTraced && !isHintGiven) {
      isHintGiven = true
      const flag = isDeprecation ? '--trace-deprecation' : '--trace-warnings'
      text += `\n(Use \`node ${flag} ...\` to show where the warning was created)`
    }
    console.error(text)
  })
}
