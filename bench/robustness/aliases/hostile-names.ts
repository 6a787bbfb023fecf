/** Draws hostile names of modules: a way out of the project, written as nobody would write it. */
import { pathToFileURL } from 'node:url'
import type { Chance } from '../../engine.ts'
import { EVIL, type HostileProject, IMPORTED } from './hostile-project.ts'

export interface HostileName {
  /** What leads out, for the table. */
  readonly kind: string
  /** An alias, or the property file itself. */
  readonly alias?: readonly [from: string, to: string]
  readonly file?: string
}

type Kinds = Readonly<Record<string, readonly string[]>>

export function hostileName(chance: Chance, { base, root }: HostileProject): HostileName {
  const kinds = namesByKind(base, root)
  const kind = pick(chance, Object.keys(kinds))
  let name = pick(chance, kinds[kind]!)
  for (let left = chance.integer(0, 2); left > 0; left--) name = pick(chance, MUTATIONS)(name, chance)
  if (chance.coin(FILES)) return { kind: 'the property file', file: name }
  return { kind, alias: [pick(chance, IMPORTED), name] }
}

/** The share of cases in which the property file has the hostile name. */
const FILES = 0.1

function namesByKind(base: string, root: string): Kinds {
  const evil = [`${base}/outside/evil.mjs`, `${base}/outside/evil.cjs`, `${base}/outside/evil.fuzz.ts`]
  const urls = evil.map((path) => pathToFileURL(path).href)
  const encoded = Buffer.from(EVIL).toString('base64')
  return {
    'absolute path': [...evil, `${base}/outside`, `${root}/../outside/evil.mjs`, '/etc/passwd', '/proc/self/exe'],
    'path with ..': ['../outside/evil.mjs', './a/../../outside/evil.cjs', './lib/../../outside', '..', './up/outside'],
    'file: URL': [
      ...urls,
      ...urls.map((url) => url.replace('//', '')),
      ...urls.map((url) => url.replace('file://', 'file://localhost')),
      `${pathToFileURL(root).href}/../outside/evil.mjs`,
      `${pathToFileURL(root).href}/%2e%2e/outside/evil.mjs`,
      `${pathToFileURL(root).href}/link.mjs`,
      'file:../outside/evil.mjs',
      'file://server/share/evil.mjs',
    ],
    'data: and other URLs': [
      `data:text/javascript,${encodeURIComponent(EVIL)}`,
      `data:text/javascript;base64,${encoded}`,
      'data:application/json,{}',
      'blob:nodedata:1',
      'http://127.0.0.1:9/evil.mjs',
      'https://127.0.0.1:9/evil.mjs',
      'npm:hoisted',
      'javascript:0',
    ],
    builtin: ['node:child_process', 'child_process', 'node:fs/promises', 'vm', 'node:module', 'node:sea', 'node:test'],
    'symbolic link': [
      ...['./link.mjs', './folder/evil.mjs', './folder', './twice/evil.cjs', './up/outside/evil.mjs', './loop'],
      ...[
        `./slash${base}/outside/evil.mjs`,
        './dangling.mjs',
        './lib/deep/link.mjs',
        `${root}/link.mjs`,
        './link.fuzz.ts',
      ],
    ],
    package: [
      ...['far', 'linked-main', 'exporting', 'exporting/folder/evil.cjs', 'linked', 'linked/evil.mjs', 'loop'],
      ...['@scope/linked', '@scope/linked/evil.mjs', 'plain/up/outside/evil.mjs', 'plain/../../../outside/evil.mjs'],
      'plain/%2e%2e/%2e%2e/%2e%2e/outside/evil.mjs',
    ],
    'folder above, global folder': ['hoisted', 'hoisted/index.js', 'global', 'homely', 'global/index.js'],
    'imports and exports': ['#up', '#link', '#builtin', '#gone', '#', 'self/link', 'self/gone', 'self/../link.mjs'],
    'data of norn': [
      './.norn/failures/evil.mjs',
      './.norn/../.norn/failures/evil.mjs',
      `${root}/.norn/failures/evil.mjs`,
    ],
    'Windows and UNC': [
      ...[
        '..\\outside\\evil.mjs',
        '.\\..\\outside\\evil.mjs',
        'C:\\evil.mjs',
        'C:evil.mjs',
        '\\\\server\\share\\evil.mjs',
      ],
      ...['//server/share/evil.mjs', '\\\\?\\C:\\evil.mjs', `\\${base}\\outside\\evil.mjs`, '.\\link.mjs'],
    ],
    'prototype key': ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__proto__/../../outside/evil.mjs'],
    'very long': [
      'x'.repeat(70_000),
      `./${'a/../'.repeat(2_000)}../outside/evil.mjs`,
      `${'linked/../'.repeat(1_500)}linked/evil.mjs`,
      `./${'./'.repeat(3_000)}link.mjs`,
    ],
  }
}

type Mutation = (name: string, chance: Chance) => string

const MUTATIONS: readonly Mutation[] = [
  (name, chance) =>
    eachLetter(name, chance, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    ),
  (name) => name.replace(/^[a-z]+:/i, (scheme) => scheme.toUpperCase()),
  (name, chance) => eachLetter(name, chance, percentEncoded),
  (name) => name.replaceAll('..', '%2e%2e'),
  (name) => name.replaceAll('..', '.%2E'),
  (name) => name.replaceAll('/', '%2f'),
  (name) => name.replaceAll('/', '\\'),
  (name) => name.replaceAll('/', '//'),
  (name) => name.replaceAll('/', '/./'),
  (name, chance) => insert(name, chance, '\0'),
  (name, chance) => insert(name, chance, pick(chance, ['\t', '\n', '\r'])),
  (name, chance) => insert(name, chance, pick(chance, ['\u200b', '\ufeff', '\u2024', '\uff0e', '\u202e'])),
  (name) => `${name}\0.ts`,
  (name) => `${name}%00`,
  (name, chance) => `${pick(chance, [' ', '\t', '\n', '\u001f'])}${name}`,
  (name, chance) => `${name}${pick(chance, ['?x', '#x', '?a#b', '?', '#', '?/../../a.ts', '#/../a.ts'])}`,
  (name, chance) => `${name}${pick(chance, ['/', '/.', '/..', '/index.js', ' ', '.'])}`,
  (name, chance) => `${pick(chance, ['node:', 'file:', 'file://', 'FILE:', './', 'dep/', '/', '#', 'x/../'])}${name}`,
]

const percentEncoded = (letter: string) =>
  encodeURIComponent(letter).replace(/^[^%]$/, (plain) => `%${plain.charCodeAt(0).toString(16)}`)

/** Changes some letters of the first kilobyte. */
function eachLetter(name: string, chance: Chance, change: (letter: string) => string): string {
  const share = chance.unit()
  return [...name].map((letter, at) => (at < 1024 && chance.coin(share) ? change(letter) : letter)).join('')
}

function insert(name: string, chance: Chance, text: string): string {
  const at = chance.integer(0, name.length)
  return name.slice(0, at) + text + name.slice(at)
}

function pick<Each>(chance: Chance, all: readonly Each[]): Each {
  return all[chance.integer(0, all.length - 1)]!
}
