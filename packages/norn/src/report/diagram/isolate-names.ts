/** How threads and child processes are called: `worker 1 work.cjs`, shorter where there is less room. */
import type { IsolateName, Messaging } from '../../contract/messaging.ts'

/** The name of the body's lane. */
const BODY = 'main'

/** Isolates with a lane of their own; the others share one. */
export const MAX_ISOLATES = 12

/** Characters that names take beside each other before they get shorter. */
const MAX_WHOLE = 72
const MAX_SHORT = 40

/** The names of all isolates, with the files that they run unless those are too many. */
export function laneNames(messaging: Messaging): readonly string[] {
  const short = shortNames(messaging)
  const whole = messaging.isolates.map(({ file }, index) => `${short[index]} ${file}`.trim())
  return widthOf(whole) <= MAX_WHOLE ? whole : short
}

/** What people call them: `worker 1`, the name that the program gave; `w1` where they are many. */
export function shortNames({ isolates }: Messaging): readonly string[] {
  const names = isolates.map((each) => each.name ?? nameOf(each, isolates))
  return widthOf(names) <= MAX_SHORT ? names : isolates.map((each) => each.name ?? initialsOf(each, isolates))
}

const widthOf = (names: readonly string[]) => names.reduce((sum, name) => sum + name.length + 2, 0)

function nameOf({ kind, number, parent }: IsolateName, all: readonly IsolateName[]): string {
  if (kind === 'body') return BODY
  const owner = processOf(parent, all)
  return kind === 'process' || owner === undefined ? `${kind} ${number}` : `process ${owner} worker ${number}`
}

function initialsOf(isolate: IsolateName, all: readonly IsolateName[]): string {
  return isolate.kind === 'body' ? BODY : nameOf(isolate, all).replaceAll(/(\w)\w* (\d+) ?/g, '$1$2')
}

/** The number of the child process that an isolate belongs to; undefined for the body's. */
function processOf(index: number, all: readonly IsolateName[]): number | undefined {
  const { kind, number, parent } = all[index]!
  return kind === 'process' ? number : kind === 'body' ? undefined : processOf(parent, all)
}

/** What isolates run, and where they were started; those that are alike together. */
export function isolateNotes(
  messaging: Messaging,
  shown: readonly number[],
  placeOf: (name: string) => string,
): string[] {
  const names = shortNames(messaging)
  const told = shown.map((index) => {
    const { kind, number, file, place } = messaging.isolates[index]!
    const [name, at] = [names[index]!, placeOf(place)]
    const called = name.endsWith(` ${number}`) ? '' : `${kind} ${number}, `
    return { name, text: `${called}${file}${at === '' ? '' : `, started at ${at}`}` }
  })
  return [...Map.groupBy(told, ({ text }) => text)].map(
    ([text, each]) => `${each.map(({ name }) => name).join(', ')}: ${text}`,
  )
}
