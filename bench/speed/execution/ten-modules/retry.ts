import { RetriesSpent } from './errors.ts'
import settings from './settings.cjs'

export async function withRetries<Result>(action: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; attempt < settings.RETRIES; attempt++) {
    try {
      return await action()
    } catch (error) {
      if (attempt === settings.RETRIES - 1) throw error
    }
  }
  throw new RetriesSpent()
}
