/**
 * `require`, `module` and the like in modules of TypeScript and JSX. Their compilers make CommonJS of them,
 * or test runners run them with these names, so they are used beside `import`. In JavaScript Node has the say.
 */
import { dirname } from 'node:path'
import type { Program } from 'acorn'
import { declaredNames } from './esm-shape.ts'
import { isCompiled } from './javascript.ts'

const NAMES = ['require', 'module', 'exports', '__dirname', '__filename'] as const
export type CommonJsName = (typeof NAMES)[number]

/** Those that a module uses, as far as a glance tells, and does not declare itself. */
export function commonJsNamesIn({ body }: Program, source: string, path: string): readonly CommonJsName[] {
  if (!isCompiled(path)) return []
  const used = NAMES.filter((name) => new RegExp(`(?<![.\\w$])${name}\\b`).test(source))
  if (used.length === 0) return []
  const declared = body.flatMap((each) => {
    if (each.type === 'ImportDeclaration') return each.specifiers.map(({ local }) => local.name)
    if (each.type === 'ExportDefaultDeclaration') return declaredNames(each.declaration)
    return declaredNames(each.type === 'ExportNamedDeclaration' && each.declaration ? each.declaration : each)
  })
  return used.filter((name) => !declared.includes(name))
}

/** Parameters with defaults, not variables: then a `var` in any block of the module may have the same name. */
export function commonJsParameters(names: readonly CommonJsName[], path: string, stem: string): string[] {
  const values: Readonly<Record<CommonJsName, string>> = {
    require: `${stem}self.source.requireIn(${JSON.stringify(path)})`,
    // What is assigned to these is not exported: the module has exports of its own.
    module: '{exports:{}}',
    exports: '{}',
    __dirname: JSON.stringify(dirname(path)),
    __filename: JSON.stringify(path),
  }
  return names.map((name) => `${name}=${values[name]}`)
}
