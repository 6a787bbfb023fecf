/**
 * Exports of ES modules that tests replace: `vi.spyOn(namespace, 'name')`, which vite's and Babel's modules allow.
 *
 * An object with the export stands in for it wherever the module that declares it is imported; spies are set on that
 * object. In vite, modules that import it from a module that passes it on keep the original.
 */
import type { Getter } from './record.ts'
import type { Cells, EsmUnit, NamespacePlan, Unit } from './unit.ts'

/** An instance, as this sees it. */
interface Owner {
  readonly replacedExports: ReplacedExports
}

const namespaces = new WeakMap<object, { readonly owner: Owner; readonly unit: Unit }>()

/** Notes whose namespace an object is. */
export function noteNamespace(namespace: object, owner: Owner, unit: Unit): void {
  namespaces.set(namespace, { owner, unit })
}

/** The object in place of an export; undefined where norn knows none. */
export function standInOfExport(namespace: object, name: string): object | undefined {
  const { owner, unit } = namespaces.get(namespace) ?? {}
  return owner?.replacedExports.standIn(unit!, name)
}

/** Those of one execution. */
export class ReplacedExports {
  readonly #planOf: (unit: EsmUnit) => NamespacePlan
  readonly #cellsOf: (unit: Unit) => Cells
  readonly #standIns = new Map<Getter, object>()
  #undo: (() => void)[] = []

  constructor(planOf: (unit: EsmUnit) => NamespacePlan, cellsOf: (unit: Unit) => Cells) {
    this.#planOf = planOf
    this.#cellsOf = cellsOf
  }

  standIn(unit: Unit, name: string): object | undefined {
    if (unit.kind !== 'esm') return undefined
    if (unit.mock !== undefined) return (this.#cellsOf(unit) as Cells & { readonly exports?: object }).exports
    const { unit: from, key } = this.#planOf(unit).find((each) => each.name === name) ?? {}
    if (from?.kind !== 'esm' || key === undefined) return undefined
    const getters = this.#cellsOf(from) as unknown as Record<string, Getter>
    const original = getters[key]!
    const known = this.#standIns.get(original)
    if (known !== undefined) return known
    const standIn: Record<string, unknown> = { [name]: original() }
    const replacing = () => standIn[name]
    getters[key] = replacing
    this.#standIns.set(replacing, standIn)
    this.#undo.unshift(() => {
      getters[key] = original
    })
    return standIn
  }

  /** An execution begins, with modules of the last one. */
  undo(): void {
    for (const undo of this.#undo.splice(0)) undo()
    this.#standIns.clear()
  }
}
