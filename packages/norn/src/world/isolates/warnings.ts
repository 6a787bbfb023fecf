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

const DISABLES = '--disable-warning'

/** Listens for the warnings of the running process, unless its options or its environment keep them quiet. */
export function printWarnings(options: readonly string[]): void {
  const has = (option: string) => options.includes(option)
  if (has('--no-deprecation')) Object.assign(process, { noDeprecation: true })
  if (has('--throw-deprecation')) Object.assign(process, { throwDeprecation: true })
  if (has('--no-warnings') || process.env.NODE_NO_WARNINGS === '1') return
  const disabled = options.flatMap((each, at) => {
    if (each === DISABLES) return [options[at + 1]]
    return each.startsWith(`${DISABLES}=`) ? [each.slice(DISABLES.length + 1)] : []
  })
  const tracesAll = has('--trace-warnings')
  let isHintGiven = false
  process.on('warning', (warning: Warning) => {
    if (!(warning instanceof Error)) return
    const isDeprecation = warning.name === 'DeprecationWarning'
    if (isDeprecation && process.noDeprecation) return
    if (disabled.includes(warning.name) || disabled.includes(warning.code)) return
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
