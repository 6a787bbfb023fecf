import { amount } from './amount.ts'
import { Journal } from './journal.ts'

export class Ledger {
  readonly journal = new Journal()
  readonly #accounts: Map<string, number>

  constructor(accounts: Record<string, number>) {
    this.#accounts = new Map(Object.entries(accounts).map(([name, sum]) => [name, amount(sum)]))
  }

  get total(): number {
    return [...this.#accounts.values()].reduce((sum, one) => sum + one, 0)
  }

  move(from: string, to: string, sum: number): void {
    this.#accounts.set(from, this.#accounts.get(from)! - sum)
    this.#accounts.set(to, this.#accounts.get(to)! + sum)
    this.journal.note('move', from, to, sum)
  }
}
