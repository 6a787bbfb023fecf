import type { Ledger } from './ledger.ts'
import { Lock } from './lock.ts'
import { pause } from './pause.ts'
import { withRetries } from './retry.ts'

const lock = new Lock()

export async function transfer(ledger: Ledger, from: string, to: string, sum: number): Promise<void> {
  await withRetries(async () => {
    const release = await lock.acquire()
    try {
      await pause()
      ledger.move(from, to, sum)
    } finally {
      release()
    }
  })
}
