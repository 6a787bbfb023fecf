export class Lock {
  #tail: Promise<void> = Promise.resolve()

  async acquire(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#tail
    this.#tail = promise
    await before
    return resolve
  }
}
