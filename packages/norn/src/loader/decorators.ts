/**
 * Decorators of the standard, and `accessor`, to JavaScript that Node runs. Only esbuild does it, so
 * only files that have them need it; a project with such files usually has it installed.
 */
import { dirname } from 'node:path'
import type { Message } from 'esbuild'
import { hostRequire } from './internals.ts'
import type { JavaScript } from './oxc.ts'
import { sourceError } from './source-error.ts'
import { compilerOptionsOf } from './tsconfig.ts'

export function lowerDecorators(source: string, path: string): JavaScript {
  const options = compilerOptionsOf(path)
  try {
    const { code, map } = esbuildOf(path).transformSync(source, {
      loader: path.endsWith('x') ? 'tsx' : 'ts',
      sourcemap: 'external',
      target: 'esnext',
      supported: { decorators: false },
      tsconfigRaw: { compilerOptions: { ...options, jsx: options.jsx === 'react' ? 'react' : 'react-jsx' } as object },
    })
    return { code, map, isForeign: true }
  } catch (error) {
    const [first] = (error as { errors?: readonly Message[] }).errors ?? []
    if (first?.location == null) throw error
    const { line, column } = first.location
    throw sourceError(first.text, path, source, { line, column: column + 1 })
  }
}

/** The project's own esbuild, or the one installed with norn. */
function esbuildOf(path: string): typeof import('esbuild') {
  let found: string
  try {
    found = hostRequire.resolve('esbuild', { paths: [dirname(path), import.meta.dirname] })
  } catch {
    throw new SyntaxError(
      `${path}: decorators need esbuild: run npm install --save-dev esbuild, or, if they are TypeScript's own, set ` +
        'experimentalDecorators in tsconfig.json',
    )
  }
  return hostRequire(found)
}
