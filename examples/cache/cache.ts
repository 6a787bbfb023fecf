/** A cache in front of files. */
import { readFile, writeFile } from 'node:fs/promises'

export interface KeyValue {
  get(key: string): Promise<string | undefined>
  set(key: string, value: string): Promise<void>
}

export class Cache implements KeyValue {
  readonly #values = new Map<string, string>()

  async get(key: string): Promise<string | undefined> {
    if (!this.#values.has(key)) this.#values.set(key, await readFile(key, 'utf8'))
    return this.#values.get(key)
  }

  async set(key: string, value: string): Promise<void> {
    this.#values.set(key, value)
    await writeFile(key, value)
  }
}

/** Operations wait for one another. */
export class FixedCache implements KeyValue {
  readonly #cache = new Cache()
  #last: Promise<unknown> = Promise.resolve()

  get(key: string): Promise<string | undefined> {
    return this.#next(() => this.#cache.get(key))
  }

  set(key: string, value: string): Promise<void> {
    return this.#next(() => this.#cache.set(key, value))
  }

  #next<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(run)
    this.#last = result
    return result
  }
}
