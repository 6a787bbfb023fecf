// Operations of the thread pool, whose durations norn chooses: a task, a remote store, a resource.
import { stat } from 'node:fs/promises'

/** Waits for so many operations in turn. */
export async function pause(operations = 1): Promise<void> {
  for (let i = 0; i < operations; i++) await stat('.')
}

/** A store whose every operation takes a while to happen, and to answer. */
export function slowStore() {
  const entries = new Map<string, unknown>()
  const later = async <T>(change: () => T): Promise<T> => {
    await pause()
    const result = change()
    await pause()
    return result
  }
  return {
    entries,
    get: async (key: string) => later(() => entries.get(key)),
    set: async (key: string, value: unknown) => later(() => void entries.set(key, value)),
    delete: async (key: string) => later(() => entries.delete(key)),
    has: async (key: string) => later(() => entries.has(key)),
    clear: async () => later(() => entries.clear()),
  }
}
