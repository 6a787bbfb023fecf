/**
 * Scripts of `node:vm` in the realm of all executions. What a script declares at its top outlives it: no program can
 * delete such a variable, and none declare it again. Such a script runs by `eval` instead, which makes properties of
 * the global object of its declarations; those end with the execution.
 *
 * Other than in Node, `const` is a variable, `let` and classes are properties of the global object, and `delete` takes
 * all of these away. Scripts in strict mode and with a time limit declare as ever.
 */
import vm from 'node:vm'
import { parse } from 'acorn'
import MagicString from 'magic-string'
import type { Interceptor } from '../loop/interceptor.ts'
import { type Control, define } from '../realm/replace.ts'

interface Source {
  readonly text: string
  readonly options: vm.ScriptOptions
}

const DECLARES = /\b(?:var|let|const|class|function)\b/

/** Not a direct call: what it declares is global. */
const evaluate = vm.runInThisContext('eval') as (text: string) => unknown

export const scripts: Interceptor<Control> = {
  name: 'scripts of node:vm',
  install(host) {
    const sources = new WeakMap<vm.Script, Source>()
    const { Script } = vm
    const { runInThisContext } = Script.prototype
    const Followed = new Proxy(Script, {
      construct(target, args: [text: string, options?: vm.ScriptOptions | string], newTarget) {
        const script = Reflect.construct(target, args, newTarget) as vm.Script
        const [text, options = {}] = args
        if (host.active() && typeof text === 'string')
          sources.set(script, { text, options: typeof options === 'string' ? { filename: options } : options })
        return script
      },
    })
    define(vm, 'Script', Followed)
    define(Script.prototype, 'constructor', Followed)
    define(Script.prototype, 'runInThisContext', function (this: vm.Script, options?: vm.RunningScriptOptions) {
      const isBounded = options?.timeout !== undefined || options?.breakOnSigint === true
      const source = host.active() && !isBounded ? sources.get(this) : undefined
      const text = source === undefined ? undefined : evaluable(source)
      return text === undefined ? Reflect.apply(runInThisContext, this, [options]) : evaluate(text)
    })
    const real = vm.runInThisContext
    define(vm, 'runInThisContext', (text: string, options?: vm.RunningCodeOptions | string) => {
      if (!host.active()) return real(text, options)
      return new Followed(text, options).runInThisContext(typeof options === 'string' ? undefined : options)
    })
  },
}

/** The text for `eval`; undefined if the script surely declares nothing, or can only run as it is. */
function evaluable({ text, options }: Source): string | undefined {
  if (!DECLARES.test(text) || options.importModuleDynamically !== undefined) return undefined
  const { body } = parse(text, { ecmaVersion: 'latest', sourceType: 'script', allowHashBang: true })
  const [first] = body
  if (first?.type === 'ExpressionStatement' && first.directive === 'use strict') return undefined
  const edited = new MagicString(text)
  for (const node of body) {
    if (node.type === 'VariableDeclaration' && ['let', 'const'].includes(node.kind))
      edited.update(node.start, node.start + node.kind.length, 'var'.padEnd(node.kind.length))
    if (node.type !== 'ClassDeclaration') continue
    edited.appendLeft(node.start, `var ${node.id.name} = `)
    edited.appendRight(node.end, ';')
  }
  const { filename = 'evalmachine.<anonymous>', lineOffset = 0, columnOffset = 0 } = options
  const before = '\n'.repeat(Math.max(0, lineOffset)) + ' '.repeat(Math.max(0, columnOffset))
  return `${before}${edited}\n//# sourceURL=${filename}`
}
