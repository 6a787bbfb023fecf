/**
 * The journal of one execution: its input, its choices and what they injected, each written before the program goes on, so that an
 * execution that hangs or kills its process leaves its tape behind.
 *
 * One JSON array a line. The last line may be cut off by the death of the process; it is then left out.
 */
import { existsSync, ftruncateSync, readFileSync, writeSync } from 'node:fs'
import type { InjectedFault } from '../contract/execution.ts'
import type { Choice } from '../tape/choice.ts'
import { LANES, type Lane } from '../tape/lane.ts'

type Line =
  | readonly ['input', text: string]
  | readonly ['fault', fault: InjectedFault]
  | readonly ['choice', lane: Lane, label: string, min: string, max: string, value: string, type: 'number' | 'bigint']

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

  choice(lane: Lane, { label, min, max, value }: Choice): void {
    this.#write(['choice', lane, label, `${min}`, `${max}`, `${value}`, typeof value as 'number' | 'bigint'])
  }

  #write(line: Line): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`)
  }
}

export interface JournalRecord {
  readonly inputText: string
  /** What was injected. */
  readonly faults: readonly InjectedFault[]
  readonly lanes: Readonly<Record<Lane, readonly Choice[]>>
}

/** Undefined if none was begun. */
export function readJournal(path: string): JournalRecord | undefined {
  if (!existsSync(path)) return undefined
  const lanes = Object.fromEntries(LANES.map((lane) => [lane, [] as Choice[]])) as Record<Lane, Choice[]>
  const faults: InjectedFault[] = []
  let inputText = ''
  const lines = readFileSync(path, 'utf8').split('\n')
  for (const text of lines.slice(0, -1)) {
    const line = JSON.parse(text) as Line
    if (line[0] === 'input') {
      inputText = line[1]
      continue
    }
    if (line[0] === 'fault') {
      faults.push(line[1])
      continue
    }
    const [, lane, label, min, max, value, type] = line
    const convert = type === 'bigint' ? BigInt : Number
    lanes[lane].push({ label, min: convert(min), max: convert(max), value: convert(value) } as Choice)
  }
  return { inputText, faults, lanes }
}
