/**
 * Whether a value of a node's state is what a file says, which is JSON: by content, whatever the
 * classes, as an actor may keep its state in instances and in sets.
 */

/** @param data what JSON can write */
export function equalData(value: unknown, data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return value === data
  if (typeof value !== 'object' || value === null) return false
  const plain = value instanceof Set ? [...value] : value instanceof Map ? Object.fromEntries(value) : value
  if (Array.isArray(data)) {
    return (
      Array.isArray(plain) && plain.length === data.length && data.every((item, index) => equalData(plain[index], item))
    )
  }
  if (Array.isArray(plain)) return false
  const keys = Object.keys(plain).filter((key) => (plain as Record<string, unknown>)[key] !== undefined)
  return (
    keys.length === Object.keys(data).length &&
    Object.entries(data).every(([key, item]) => equalData((plain as Record<string, unknown>)[key], item))
  )
}
