/** `--alias FROM=TO`: one module in place of another. A path is relative to the working directory. */
import { existsSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { UsageError } from './errors.ts'

export type Alias = readonly [from: string, to: string]

/** Endings that the path of a module may omit. */
const ENDINGS = ['', '.js', '.ts', '.jsx', '.tsx', '.cjs', '.json', '.node']

export const isPath = (target: string) => target.startsWith('.') || isAbsolute(target)

/**
 * Aliases with absolute paths; refuses a path at which there is nothing.
 *
 * @param root where relative paths begin
 * @param what names where the aliases come from
 */
export function resolveAliases(aliases: readonly Alias[], root: string, what = '--alias'): [string, string][] {
  return aliases.map(([from, to]) => {
    if (!isPath(to)) return [from, to]
    const path = resolve(root, to)
    if (!ENDINGS.some((ending) => existsSync(path + ending))) {
      throw new UsageError(`${what} ${from}=${to}: no such file: ${path}`)
    }
    return [from, path]
  })
}

/** Aliases in saved form: paths relative to the root, so that a failure replays on another machine. */
export function portableAliases(aliases: readonly Alias[], root: string): [string, string][] {
  return aliases.map(([from, to]) => {
    if (!isAbsolute(to)) return [from, to]
    return [from, `./${relative(root, to).split(sep).join('/')}`]
  })
}
