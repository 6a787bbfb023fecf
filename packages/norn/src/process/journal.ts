/**
 * The journal of one execution: its input, its choices and the injected faults, each written before
 * the program goes on, so that an execution that hangs or kills its process leaves its tape behind.
 *
 * One JSON array a line. Reading drops the last line if the death of the process cut it off.
 */
import { existsSync, ftruncateSync, readFileSync, writeSync } from 'node:fs'
import type { Choice, Lane } from '../contract/choice.ts'
import type { InjectedFault } from '../contract/execution.ts'
import { decodeChoice, type EncodedChoice, encodeChoice } from '../tape/codec.ts'

type Line =
  | readonly ['input', text: string]
  | readonly ['fault', fault: InjectedFault]
  | readonly ['choice', lane: Lane, choice: EncodedChoice]

export class Journal {
  readonly #file: number

  /** @param file open for appending */
  constructor(file: number) {
    this.#file = file
  }

  /** Forgets the execution before. */
  begin(): void {
    ftruncateSync(this.#file, 0)
  }

  input(text: string): void {
    this.#write(['input', text])
  }

  fault(fault: InjectedFault): void {
    this.#write(['fault', fault])
  }

  choice(lane: Lane, choice: Choice): void {
    this.#write(['choice', lane, encodeChoice(lane, choice)])
  }

  #write(line: Line): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`)
  }
}

export interface JournalRecord {
  readonly inputText: string
  /** The faults that were injected, in order. */
  readonly faults: readonly InjectedFault[]
  readonly lanes: Readonly<Record<Lane, readonly Choice[]>>
}

/** The journal in a file; undefined if there is no such file. */
export function readJournal(path: string): JournalRecord | undefined {
  if (!existsSync(path)) return undefined
  const lanes: Record<Lane, Choice[]> = { input: [], schedule: [], fault: [] }
  const faults: InjectedFault[] = []
  let inputText = ''
  const lines = readFileSync(path, 'utf8').split('\n')
  for (const [index, text] of lines.slice(0, -1).entries()) {
    const line = JSON.parse(text) as Line
    if (line[0] === 'input') inputText = line[1]
    else if (line[0] === 'fault') faults.push(line[1])
    else lanes[line[1]].push(decodeChoice(line[1], line[2], `line ${index + 1} of the journal`))
  }
  return { inputText, faults, lanes }
}
