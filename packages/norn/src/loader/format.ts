/**
 * What kind of module a file is: by its extension, then the nearest package.json, then by what it
 * holds.
 *
 * Follows lib/internal/modules/esm/get_format.js and Module._extensions of Node 24. Departs:
 * TypeScript below node_modules is accepted (Node refuses it), no warning is printed for a missing
 * "type", and TypeScript and files of properties in a package of type "commonjs" may be ES modules:
 * `npm init` writes that type unasked, and who compiles TypeScript writes `import` in packages of
 * either type.
 */
import { extname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { containsModuleSyntax, packageType } from './node-internals.ts'
import { type JavaScript, stripTypes } from './typescript.ts'

export type Format = 'module' | 'commonjs' | 'json' | 'wasm' | 'addon'

/** What can be said of a file before it is read; 'detect' when its text decides. */
export function formatByName(path: string, asked: 'import' | 'require'): Format | 'detect' {
  switch (extname(path)) {
    case '.mjs':
    case '.mts':
      return 'module'
    case '.cjs':
    case '.cts':
      return 'commonjs'
    case '.json':
      return 'json'
    case '.node':
      return 'addon'
    case '.wasm':
      if (asked === 'import') return 'wasm'
      break
    case '.js':
    case '.ts':
    case '': {
      const type = packageType(pathToFileURL(path))
      if (type === 'commonjs' && (extname(path) === '.ts' || path.endsWith('.fuzz.js'))) return 'detect'
      return type === 'none' ? 'detect' : type
    }
  }
  if (asked === 'require') return 'detect'
  const error = new TypeError(`Unknown file extension "${extname(path)}" for ${path}`)
  throw Object.assign(error, { code: 'ERR_UNKNOWN_FILE_EXTENSION' })
}

/** The JavaScript of a file's text: byte order mark dropped, types stripped. */
export function javaScriptOf(text: string, path: string): JavaScript {
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  return /\.[mc]?ts$/.test(path) ? stripTypes(source, path) : { code: source }
}

export function detectFormat(code: string, path: string): 'module' | 'commonjs' {
  return containsModuleSyntax(code, path) ? 'module' : 'commonjs'
}
