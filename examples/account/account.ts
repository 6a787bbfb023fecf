/** An account in a file, with a race: `npm run -s norn -- fuzz examples/account/account.fuzz.ts` finds it. */
import { readFile, writeFile } from 'node:fs/promises'

export class Account {
  readonly #file: string

  private constructor(file: string) {
    this.#file = file
  }

  static async open(file: string): Promise<Account> {
    await writeFile(file, '0')
    return new Account(file)
  }

  async balance(): Promise<number> {
    return Number(await readFile(this.#file, 'utf8'))
  }

  async deposit(amount: number): Promise<void> {
    const balance = await this.balance()
    await writeFile(this.#file, String(balance + amount))
  }
}
