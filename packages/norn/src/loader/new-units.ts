/** Creates units: modules that are read and parsed, and not linked yet. */
import type { CommonJsCode } from './commonjs-code.ts'
import type { Draft } from './esm-code.ts'
import { HostModule } from './node-internals.ts'
import { definerFor } from './synthetic.ts'
import { type EsmUnit, newCellsClass, type SyntheticUnit } from './unit.ts'

export function esmUnit(
  draft: Draft,
  search: string,
  { wasm, source }: Partial<Pick<EsmUnit, 'wasm' | 'source'>>,
): EsmUnit {
  return {
    kind: 'esm',
    path: draft.path,
    search,
    shape: draft.shape,
    wasm,
    mocks: draft.hoisted?.mocks,
    CellsOfUnit: newCellsClass(),
    draft,
    edges: undefined,
    linked: undefined,
    source,
    traced: undefined,
    closure: undefined,
    namespace: undefined,
  }
}

export function synthetic(
  kind: 'commonjs' | 'json',
  path: string,
  source: string,
  search: string,
  code?: CommonJsCode,
): SyntheticUnit {
  return {
    kind,
    path,
    search,
    CellsOfUnit: newCellsClass(),
    names: kind === 'json' ? new Set(['default']) : undefined,
    define: undefined,
    code,
    traced: undefined,
    scoped: undefined,
    source,
    closure: undefined,
    namespace: undefined,
  }
}

/** `node:module` exists once per instance: its `createRequire` must load into the instance. */
export function moduleBuiltin(): SyntheticUnit {
  const names = new Set([...Object.keys(HostModule), 'default'])
  return {
    kind: 'module-builtin',
    path: 'node:module',
    search: '',
    CellsOfUnit: newCellsClass(),
    names,
    define: definerFor(names),
    code: undefined,
    traced: undefined,
    scoped: undefined,
    source: '',
    closure: undefined,
    namespace: undefined,
  }
}
