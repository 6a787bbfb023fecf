/**
 * The states that ENABLED and `A \cdot B` search for, and the variables of instantiated modules in
 * them.
 *
 * `ENABLED A` holds if some values of the primed variables satisfy A; within an instance that
 * substitutes `z` for both `x` and `y`, ENABLED (x' = 0 /\ y' = 1) is still true. The search is
 * over the variables that the module declares, not over their substitutions (Lamport, Specifying
 * Systems, 17.8). So these have their own indices in the state, after those of the root module;
 * unprimed, they have the instance's values.
 */
import type { VariableSymbol } from '../semantics/term.ts'
import type { Compiler } from './compiler.ts'
import type { PartialState } from './context.ts'
import { Base, type Binding, type InnerVariable, type Scope } from './scope.ts'

interface Found {
  readonly state: PartialState
  /** The scope of the operand: the enclosing one, except for the inner variables. */
  readonly scope: Scope
}

/** @param isRenamingKept whether an instance that only renames variables needs no inner ones */
export function stateOfItsOwn(compiler: Compiler, scope: Scope, isRenamingKept = false): Found {
  const state: PartialState = compiler.variables.map(() => undefined)
  const variables = substitutedVariables(compiler, scope.base, isRenamingKept)
  if (variables.size === 0) return { state, scope }
  const bindings = new Map(scope.base.bindings)
  for (const [symbol, substituted] of variables) {
    const inner: InnerVariable = { kind: 'inner variable', name: symbol.name, state, index: state.length, substituted }
    bindings.set(symbol, inner)
    state.push(undefined)
  }
  return { state, scope: { base: new Base(bindings, scope.base.outer), local: scope.local } }
}

/** The variables of a module and its enclosing ones that differ from those of the root module. */
function substitutedVariables(
  compiler: Compiler,
  base: Base,
  isRenamingKept: boolean,
): ReadonlyMap<VariableSymbol, Binding> {
  const found = new Map<VariableSymbol, Binding>()
  for (let at: Base | undefined = base; at !== undefined; at = at.outer) {
    if (isRenamingKept && isRenaming(at)) continue
    for (const [symbol, binding] of at.bindings) {
      if (symbol.kind !== 'variable' || found.has(symbol)) continue
      if (binding.kind === 'variable' && compiler.variables[binding.index] === symbol.name) continue
      found.set(symbol, binding)
    }
  }
  return found
}

/** Whether each variable stands for a different variable of the root module. */
function isRenaming({ bindings }: Base): boolean {
  const seen = new Set<number>()
  for (const [symbol, binding] of bindings) {
    if (symbol.kind !== 'variable') continue
    if (binding.kind !== 'variable' || seen.has(binding.index)) return false
    seen.add(binding.index)
  }
  return true
}
