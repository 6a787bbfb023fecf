/**
 * Which iterators of arrays are at their end for good: nobody can read how far one is, but one that has ended stays
 * so, and keeps nothing. Loops that compilers write leave such iterators in variables.
 */
const prototype = Object.getPrototypeOf([].values()) as { readonly next: () => IteratorResult<unknown> }
const { next } = prototype
const { getPrototypeOf, getOwnPropertyDescriptor, isExtensible } = Object

export function isArrayIterator(object: object): boolean {
  return getPrototypeOf(object) === prototype
}

export class ArrayIterators {
  /** Asking one moves it: what was found first holds. */
  readonly #unfinished = new WeakSet<object>()

  /**
   * The iterators that would give a further value, now or once an array has grown. They are moved: let go of what
   * keeps them.
   *
   * @param objects all that code can reach, as far as it may be an array
   */
  unfinished(iterators: readonly object[], objects: Iterable<object>): readonly object[] {
    if (iterators.length === 0) return []
    const arrays = [...objects].filter(canGrow)
    for (const each of arrays) each.length++
    try {
      for (const each of iterators) if (!isDone(each)) this.#unfinished.add(each)
    } finally {
      for (const each of arrays) each.length--
    }
    return iterators.filter((each) => this.#unfinished.has(each))
  }
}

function canGrow(object: object): object is unknown[] {
  if (!Array.isArray(object) || !isExtensible(object)) return false
  const { value, writable } = getOwnPropertyDescriptor(object, 'length')!
  return writable === true && (value as number) < 2 ** 32 - 1
}

function isDone(iterator: object): boolean {
  return Reflect.apply(next, iterator, []).done === true
}
