import format from './format.cjs'

export class Journal {
  readonly lines: string[] = []

  note(...parts: unknown[]): void {
    this.lines.push(format.line(parts))
  }
}
