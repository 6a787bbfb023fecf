import { access, writeFile } from 'node:fs/promises'

/** A cart that is saved in the background. */
export class Cart {
  readonly #path: string
  readonly items: string[] = []

  constructor(path: string) {
    this.#path = path
  }

  add(item: string): void {
    this.items.push(item)
    void this.save()
  }

  async save(): Promise<void> {
    await writeFile(this.#path, JSON.stringify(this.items))
  }

  async isSaved(): Promise<boolean> {
    return access(this.#path).then(
      () => true,
      () => false,
    )
  }
}
