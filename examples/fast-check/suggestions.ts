/** Suggestions of a search box while a user types: the answers of a service with unbounded latency. */
export type Ask = (text: string) => Promise<readonly string[]>

export class Suggestions {
  shown: readonly string[] = []
  readonly #ask: Ask

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** Shows the answer that arrives last, even if it answers an earlier text. */
  async type(text: string): Promise<void> {
    this.shown = await this.#ask(text)
  }
}

export class LatestSuggestions extends Suggestions {
  readonly #ask: Ask
  #latest = 0

  constructor(ask: Ask) {
    super(ask)
    this.#ask = ask
  }

  /** Shows an answer only if the text has not changed since. */
  override async type(text: string): Promise<void> {
    const mine = ++this.#latest
    const answer = await this.#ask(text)
    if (mine === this.#latest) this.shown = answer
  }
}
