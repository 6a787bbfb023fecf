/**
 * The content of a configuration file: formulas to check, values of constants. Follows TLC
 * ("Specifying Systems", 14.7.1, and the keywords that TLC has gained since).
 */

import type { Source, Span } from '../error/span.ts'
import type { Identifier } from '../syntax/ast.ts'

export interface Configuration {
  readonly source: Source
  /** In the order of the file. */
  readonly constants: readonly ConstantSetting[]
  /** A file has either SPECIFICATION or INIT and NEXT. */
  readonly specification?: Identifier
  readonly init?: Identifier
  readonly next?: Identifier
  readonly invariants: readonly Identifier[]
  readonly properties: readonly Identifier[]
  readonly constraints: readonly Identifier[]
  readonly actionConstraints: readonly Identifier[]
  readonly postconditions: readonly Identifier[]
  readonly symmetry?: Identifier
  readonly view?: Identifier
  readonly alias?: Identifier
  /** CHECK_DEADLOCK; undefined if the file does not set it. */
  readonly checkDeadlock?: boolean
}

/** `Name = value` or `Name <- Definition`: exactly one of `value` and `definition` is set. */
export interface ConstantSetting {
  /** A constant or a definition; a path (`I!N`) is one name, an operator symbol is canonical. */
  readonly name: Identifier
  /** In `F(1, 2) = 3`, the arguments for which the constant operator has the value. */
  readonly arguments?: readonly ConfigurationValue[]
  /** The module of `<- [Module]` or `= [Module]` whose symbol is set; default: the root module. */
  readonly module?: Identifier
  readonly value?: ConfigurationValue
  readonly definition?: Identifier
}

export type ConfigurationValue =
  | { readonly kind: 'number'; readonly value: number; readonly at: Span }
  | { readonly kind: 'string'; readonly value: string; readonly at: Span }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly at: Span }
  | { readonly kind: 'model value'; readonly name: string; readonly at: Span }
  /** Unsorted, may contain duplicates. */
  | { readonly kind: 'set'; readonly items: readonly ConfigurationValue[]; readonly at: Span }
