/**
 * Finds the reason why an action is disabled: the false condition that comes after the most true
 * conditions.
 */
import type { Term } from '../semantics/term.ts'
import type { Canonical } from '../values/value.ts'
import type { ActionObserver, Compiler, Continuation, ObservedCondition } from './compiler.ts'
import type { Context } from './context.ts'
import type { Refusal } from './machine.ts'
import { blame } from './refusal.ts'
import type { Scope } from './scope.ts'

export class Observer implements ActionObserver {
  /** Whether a variable may be assigned a value. */
  accepts: (variable: number, value: Canonical) => boolean = () => true
  #progress = 0
  #furthest = -1
  #refusal: Refusal | undefined

  /** Runs an action, and returns the refusal after the most true conditions. */
  furthest(run: () => void): Refusal | undefined {
    this.#progress = 0
    this.#furthest = -1
    this.#refusal = undefined
    run()
    return this.#refusal
  }

  condition(compiler: Compiler, term: Term, scope: Scope, context: Context, next: Continuation): ObservedCondition {
    const reason = compiler.unobserved(() => blame(compiler, term, scope, context))
    return {
      next: () => {
        this.#progress++
        const stopped = next()
        this.#progress--
        return stopped
      },
      refused: () => {
        if (this.#progress <= this.#furthest) return
        this.#furthest = this.#progress
        this.#refusal = reason()
      },
    }
  }
}
