/**
 * The format of a module: by its extension, then the nearest package.json, then its content.
 *
 * Follows lib/internal/modules/esm/get_format.js and Module._extensions of Node 24. Departs from
 * Node: JSX, and TypeScript below node_modules, are accepted; a missing "type" prints no warning; TypeScript
 * and files of properties may be ES modules in a package of type "commonjs", because `npm init`
 * writes that type by default, and compiled TypeScript uses `import` in either type.
 */
import { extname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { codes, containsModuleSyntax, type PackageType, packageType } from './node-internals.ts'
import { isData } from './paths.ts'

export type Format = 'module' | 'commonjs' | 'json' | 'wasm' | 'addon'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const HAS_WASM_MODULES = major === 22 ? minor >= 19 : major > 24 || (major === 24 && minor >= 5)

/**
 * The format by path and package; 'detect' if the content decides.
 *
 * @param typeOf the type of the package of a file
 */
export function formatByName(path: string, asked: 'import' | 'require', typeOf = packageTypeOf): Format | 'detect' {
  if (isData(path)) return formatOfData(path)
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
      if (asked === 'import' && HAS_WASM_MODULES) return 'wasm'
      break
    case '.js':
    case '.jsx':
    case '.ts':
    case '.tsx':
    case '': {
      const type = typeOf(path)
      if (type === 'commonjs' && /\.(?:tsx?|jsx|fuzz\.js)$/.test(path)) return 'detect'
      return type === 'none' ? 'detect' : type
    }
  }
  if (asked === 'require') return 'detect'
  const error = new TypeError(`Unknown file extension "${extname(path)}" for ${path}`)
  throw Object.assign(error, { code: 'ERR_UNKNOWN_FILE_EXTENSION' })
}

/** Whether a compiler makes CommonJS of a module: of TypeScript and JSX that does not say to be ES modules. */
export function isCompiledToCommonJs(path: string): boolean {
  return /\.(?:tsx?|jsx)$/.test(path) && packageTypeOf(path) !== 'module'
}

export function packageTypeOf(path: string): PackageType {
  return packageType(pathToFileURL(path))
}

/** The format of a `data:` URL, by its media type. */
function formatOfData(url: string): Format {
  const type = /^data:([^/]+\/[^;,]+)(?:;[^,]*)?,/.exec(url)?.[1] ?? ''
  if (/^\s*(text|application)\/javascript\s*$/i.test(type)) return 'module'
  if (type === 'application/json') return 'json'
  if (type === 'application/wasm') return 'wasm'
  throw new codes.ERR_UNKNOWN_MODULE_FORMAT!(type === '' ? null : type, url)
}

export function detectFormat(code: string, path: string): 'module' | 'commonjs' {
  return containsModuleSyntax(code, path) ? 'module' : 'commonjs'
}
