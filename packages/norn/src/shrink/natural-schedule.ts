/**
 * Pass: makes schedule and fault choices natural, all at once, then in halves, then one by one
 * (delta debugging).
 */
import type { Search } from './search.ts'

export async function makeScheduleNatural(search: Search): Promise<void> {
  for (const lane of ['schedule', 'fault'] as const) {
    for (let size = search.choices[lane].length; size >= 1; size = Math.floor(size / 2)) {
      for (let start = 0; start < search.choices[lane].length; ) {
        const current = search.choices
        const kept = current[lane].filter((_, index) => index < start || index >= start + size)
        if (!(await search.accepts({ ...current, [lane]: kept }))) start += size
      }
    }
  }
}
