/** Draws what may differ between two calls of norn: folder, environment, limits and load. */
import type { Chance } from '../../engine.ts'

export interface Circumstances {
  /** Relative to the project. */
  readonly cwd: string
  /** How the failure is named. */
  readonly named: 'absolute' | 'relative' | 'through a link'
  /** Undefined removes a variable. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Whether all other variables but PATH are removed. */
  readonly bare: boolean
  /** Arguments of `ulimit`. */
  readonly limits: readonly string[]
  readonly umask: string
  readonly nice: number
  /** Processes that do nothing but work meanwhile. */
  readonly busy: number
}

/** Variables that are drawn, each from its values. */
const VARIABLES: Readonly<Record<string, readonly (string | undefined)[]>> = {
  TZ: [undefined, '', 'UTC', 'Asia/Tokyo', 'America/St_Johns', 'Pacific/Chatham', 'EST5EDT'],
  LANG: [undefined, '', 'C', 'de_DE.UTF-8', 'tr_TR.UTF-8', 'sv_SE.UTF-8', 'ja_JP.UTF-8'],
  LC_ALL: [undefined, undefined, 'C', 'ar_EG.UTF-8', 'fr_FR.UTF-8'],
  LC_MESSAGES: [undefined, undefined, 'da_DK.UTF-8'],
  NODE_ENV: [undefined, 'production', 'test', 'development'],
  UV_THREADPOOL_SIZE: [undefined, '1', '2', '64'],
  NO_COLOR: [undefined, '1'],
  FORCE_COLOR: [undefined, '0', '3'],
  CI: [undefined, 'true'],
  DEBUG: [undefined, '*'],
  TERM: [undefined, 'dumb', 'xterm-256color'],
  COLUMNS: [undefined, '20'],
  USER: [undefined, 'nobody'],
  NODE_PENDING_DEPRECATION: [undefined, '1'],
}

/**
 * Folders that are drawn for the variables that name one; relative to the project. Not `/` and not
 * the project: paths below these cannot be told from others.
 */
const FOLDERS: Readonly<Record<string, readonly (string | undefined)[]>> = {
  HOME: [undefined, '../home', '../gone', '..', 'folder'],
  TMPDIR: [undefined, '../temporary', '../../temporary', 'temporary'],
}

const CWDS = ['.', 'folder', '..', '../link', '../link/folder', '../home', '/', '/tmp']

const LIMITS = [[], ['-n', '256'], ['-n', '4096'], ['-s', '4096'], ['-s', '16384'], ['-s', 'unlimited'], ['-c', '0']]

/** @param folder makes a folder of those above absolute */
export function circumstances(chance: Chance, folder: (name: string) => string): Circumstances {
  const pick = <Each>(all: readonly Each[]) => all[chance.integer(0, all.length - 1)]!
  const entries = Object.entries(VARIABLES).map(([name, values]) => [name, pick(values)] as const)
  const folders = Object.entries(FOLDERS).map(([name, values]) => {
    const value = pick(values)
    return [name, value === undefined ? undefined : folder(value)] as const
  })
  const filling = Array.from({ length: pick([0, 0, 300]) }, (_, at) => [`FILLING_${at}`, 'x'.repeat(100)] as const)
  return {
    cwd: folder(pick(CWDS)),
    named: pick(['absolute', 'relative', 'through a link']),
    environment: Object.fromEntries([...entries, ...folders, ...filling]),
    bare: chance.coin(0.2),
    limits: pick(LIMITS),
    umask: pick(['000', '022', '027', '077']),
    nice: pick([0, 0, 0, 10]),
    busy: pick([0, 0, 0, 1, 2]),
  }
}
