/** Modules from texts, and what they are refused for. */
import { TlaError } from '../../src/error/error.ts'
import { loadModule } from '../../src/node/module-files.ts'
import type { DefinitionSymbol, Module } from '../../src/semantics/term.ts'

/** Loads the first of some modules, each given as its whole text. */
export function load(...texts: readonly string[]): Module {
  const files = Object.fromEntries(texts.map((text) => [`${/MODULE (\w+)/.exec(text)![1]}.tla`, text]))
  return loadModule(Object.keys(files)[0]!, { files })
}

/**
 * A module `M` of some lines; others given as `Name: lines`, as in `module('X == A1', { A: 'A1 ==
 * 1' })`.
 */
export function module(lines: string, others: Readonly<Record<string, string>> = {}): Module {
  return load(whole('M', lines), ...Object.entries(others).map(([name, text]) => whole(name, text)))
}

function whole(name: string, lines: string): string {
  return `---- MODULE ${name} ----\n${lines}\n====`
}

export function definition(module: Module, name: string): DefinitionSymbol {
  const named = module.names.get(name)
  if (named?.symbol.kind !== 'definition') throw new Error(`${name} is no definition`)
  return named.symbol
}

/** Why it is refused, with its place and line; undefined if it is not. */
export function refusal(lines: string, others: Readonly<Record<string, string>> = {}): string | undefined {
  try {
    module(lines, others)
    return undefined
  } catch (error) {
    if (error instanceof TlaError) return error.describe()
    throw error
  }
}
