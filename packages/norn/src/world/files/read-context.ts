/**
 * Makes sure that the steps of `fs.readFile` call the owned functions.
 *
 * `internal/fs/read/context` takes `read` and `close` out of the binding when it is first loaded,
 * which is at the first `fs.readFile` of the process: possibly before the binding was owned, as
 * under a test runner. Invariant: after this its class has methods that were evaluated against the
 * owned binding, whoever holds the class already.
 */
import { hostRequire, internalBinding, requireInternal } from '../../loader/internals.ts'

const ID = 'internal/fs/read/context'

interface ContextClass {
  readonly prototype: object
}

export function renewReadContext(): void {
  const loaded = requireInternal<ContextClass>(ID)
  const { primordials } = requireInternal('internal/test/binding')
  const { natives } = internalBinding<{ natives: Record<string, string> }>('builtins')
  const source = natives[ID]
  if (source === undefined) throw new Error(`this Node has no ${ID}: fs.readFile would not be controlled`)
  const module = { exports: {} as ContextClass }
  const evaluate = new Function('exports', 'require', 'module', 'process', 'internalBinding', 'primordials', source)
  evaluate(module.exports, hostRequire, module, process, internalBinding, primordials)
  const { constructor: _, ...methods } = Object.getOwnPropertyDescriptors(module.exports.prototype)
  Object.defineProperties(loaded.prototype, methods)
}
