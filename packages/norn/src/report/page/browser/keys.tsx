/** The keys of a page: what each does, and the list of them. */
import type { Controls } from './failure.tsx'

const PAGE = 10

export interface Acting {
  /** Of the execution that is open. */
  readonly controls: Controls | undefined
  /** Opens the next failure of the list, or the one before. */
  readonly move: (by: 1 | -1) => void
  readonly search: () => void
  /** What a page asks norn for; missing where nobody can act. */
  readonly openPlace?: () => void
  readonly replay?: () => void
  readonly shrink?: () => void
  readonly help: (shown: boolean) => void
  readonly helps: boolean
}

/** What a key does; false if nothing. */
export function actOn(event: KeyboardEvent, acting: Acting): boolean {
  const { controls, move, search, help, helps } = acting
  if (event.altKey || event.ctrlKey || event.metaKey) return false
  const { key, target } = event
  if (isWriting(target)) return false
  const stepping: Readonly<Record<string, () => void>> =
    controls === undefined || scrolls(target)
      ? {}
      : {
          ArrowDown: () => controls.step(1),
          ArrowRight: () => controls.step(1),
          ArrowUp: () => controls.step(-1),
          ArrowLeft: () => controls.step(-1),
          PageDown: () => controls.step(PAGE),
          PageUp: () => controls.step(-PAGE),
          Home: () => controls.step(Number.NEGATIVE_INFINITY),
          End: () => controls.step(Number.POSITIVE_INFINITY),
        }
  const actions: Readonly<Record<string, () => void>> = {
    ...stepping,
    j: () => move(1),
    k: () => move(-1),
    n: () => controls?.toNotable(1),
    p: () => controls?.toNotable(-1),
    a: () => controls?.toggle('all'),
    c: () => controls?.toggle('compares'),
    o: () => acting.openPlace?.(),
    r: () => acting.replay?.(),
    s: () => acting.shrink?.(),
    '/': search,
    '?': () => help(!helps),
    Escape: () => help(false),
  }
  if (!Object.hasOwn(actions, key)) return false
  actions[key]!()
  return true
}

/** Whether an element takes keys as text, or to choose by. */
function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type === 'search')
}

/** Whether an element that has the focus is there to be scrolled; the diagram follows the steps. */
function scrolls(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement) || target === document.body || target.closest('.view')) return false
  return target.scrollHeight > target.clientHeight && /auto|scroll/.test(getComputedStyle(target).overflowY)
}

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['↑ ↓ ← →', 'step back and forward'],
  ['Page Up, Page Down', `${PAGE} steps`],
  ['Home, End', 'first and last step'],
  ['n, p', 'next and previous mark: a step that departs or decides'],
  ['j, k', 'next and previous failure'],
  ['/', 'search the failures; Enter opens the first, Escape leaves'],
  ['a', 'every step, or only those that matter'],
  ['c', 'passing execution beside it'],
  ['Tab', 'everything else: texts that scroll do so by arrows while they have the focus'],
]

const ACTING: typeof KEYS = [
  ['o', 'open the line of the step in the editor'],
  ['r, s', 'run the failure again, shrink it further'],
]

/** @param acts whether norn can be asked to act */
export function Help({ acts }: { acts: boolean }) {
  return (
    <aside class="help" aria-label="Keys">
      <dl>
        {[...KEYS, ...(acts ? ACTING : [])].map(([keys, what]) => (
          <>
            <dt>{keys}</dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <p class="dim">
        ◆ departs from the default schedule · ▶ the passing execution parts here · + the passing execution lacks it · ✗
        lost, fault or failure · ms: virtual time
      </p>
    </aside>
  )
}
