/** Norn's parser in a process of its own (parse-child.ts), restarted after a crash or a hang. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { Answer } from './parse-child.ts'

export type ParseResult = Answer | { readonly result: 'hung' }

/** Limit of one text. The longest of tlaplus/Examples takes a hundredth of it. */
const TIME_MS = 20_000

export class Parser {
  #child: ChildProcessByStdio<Writable, Readable, null> | undefined
  #answered: (result: ParseResult) => void = () => {}

  /** One at a time. @param path how messages name it */
  async parse(path: string, text: string): Promise<ParseResult> {
    const child = (this.#child ??= this.#start())
    const result = await new Promise<ParseResult>((resolve) => {
      const timer = setTimeout(() => this.#answered({ result: 'hung' }), TIME_MS)
      this.#answered = (result) => {
        clearTimeout(timer)
        resolve(result)
      }
      child.stdin.write(`${JSON.stringify({ path, text })}\n`)
    })
    if (result.result === 'hung') this.close()
    return result
  }

  close(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  #start(): ChildProcessByStdio<Writable, Readable, null> {
    const child = spawn(process.execPath, [resolve(import.meta.dirname, 'parse-child.ts')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    createInterface({ input: child.stdout }).on('line', (line) => this.#answered(JSON.parse(line)))
    child.stdin.on('error', () => {})
    child.on('exit', (code, signal) => {
      if (this.#child !== child) return
      this.#child = undefined
      this.#answered({ result: 'crashed', message: `the process ended with ${signal ?? `status ${code}`}` })
    })
    return child
  }
}
