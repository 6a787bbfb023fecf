/**
 * A prefix for generated names that does not occur in a source text. Six characters, as many as
 * `import`, so that replacing that keyword moves no column.
 */
export function stemFor(source: string): string {
  if (!source.includes('_norn_')) return '_norn_'
  for (let n = 0; n < 1296; n++) {
    const stem = `_n${n.toString(36).padStart(2, '0')}__`
    if (!source.includes(stem)) return stem
  }
  throw new Error('no prefix is free for generated names')
}

/** Matches a stem. */
export const STEM = '_n(?:orn|[0-9a-z]{2}_)_'

const READ = `${STEM}\\d+\\.\\$\\*?([\\p{ID_Continue}$]+)\\*?`
const ITERATED = new RegExp(`${READ} is not a function or its return value is not iterable`, 'gu')
const NAMESPACE = new RegExp(`${STEM}of_([\\p{ID_Continue}$]+)\\(\\.\\.\\.\\)`, 'gu')
const CALLED = new RegExp(`${READ}\\(\\.\\.\\.\\)`, 'gu')

/** A message of V8 with the imported names that it quotes as they are written. */
export function withWrittenNames(message: string): string {
  return message.replace(ITERATED, '$1 is not iterable').replace(CALLED, '$1').replace(NAMESPACE, '$1')
}
