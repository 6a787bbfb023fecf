/**
 * The content of a configuration file: formulas to check, values of constants. As TLC reads them
 * ("Specifying Systems", 14.7.1, with the keywords that TLC has gained since).
 */
import type { Identifier } from '../syntax/ast.ts'
import type { Source, Span } from '../syntax/span.ts'

export interface Configuration {
  readonly source: Source
  /** In the order of the file. */
  readonly constants: readonly ConstantSetting[]
  /** SPECIFICATION; a file has either this or INIT and NEXT. */
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
  /** CHECK_DEADLOCK; undefined if the file does not say. */
  readonly checkDeadlock?: boolean
}

/**
 * `Name = value`, `Name <- Definition`, `Name <- [Module]Definition`: either `value` or
 * `definition` is there.
 */
export interface ConstantSetting {
  /**
   * A constant or a definition; a path is one name (`I!N`), an operator by symbol goes by its
   * canonical spelling.
   */
  readonly name: Identifier
  /** Of `F(1, 2) = 3`: the arguments for which the constant operator has that value. */
  readonly arguments?: readonly ConfigurationValue[]
  /**
   * The module whose symbol is set, from `<- [Module]` or `= [Module]`; undefined if it is the one
   * that is checked.
   */
  readonly module?: Identifier
  readonly value?: ConfigurationValue
  readonly definition?: Identifier
}

export type ConfigurationValue =
  | { readonly kind: 'number'; readonly value: number; readonly at: Span }
  | { readonly kind: 'string'; readonly value: string; readonly at: Span }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly at: Span }
  | { readonly kind: 'model value'; readonly name: string; readonly at: Span }
  /** Not sorted; the same element may stand there twice. */
  | { readonly kind: 'set'; readonly items: readonly ConfigurationValue[]; readonly at: Span }
