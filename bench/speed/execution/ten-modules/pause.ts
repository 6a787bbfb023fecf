import { setImmediate as nextTurn } from 'node:timers/promises'

export async function pause(): Promise<void> {
  await nextTurn()
}
