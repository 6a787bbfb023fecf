// TypeScript's compiler as the program: what it makes of a few lines must not depend on what it compiles beside them.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { fuzz } from 'norn'
import ts from 'typescript'
import { pause } from './planted.ts'

const NAMES = ['a', 'b', 'c']
const name = fc.constantFrom(...NAMES)
const line = fc.oneof(
  fc.record({ name, value: fc.integer() }).map(({ name, value }) => `export const ${name}: number = ${value}`),
  fc
    .record({ name, other: name })
    .map(({ name, other }) => `export function ${name}_(x: ${other}_T): number { return x.n }`),
  name.map((each) => `export interface ${each}_T { readonly n: number; next?: ${each}_T }`),
  name.map((each) => `export type ${each}_U = keyof ${each}_T`),
)
const lines = fc.uniqueArray(line, { minLength: 1, maxLength: 5 })
const options: ts.CompilerOptions = { noLib: true, strict: true, target: ts.ScriptTarget.ES2022, types: [] }

/** The errors of a file, and its JavaScript. */
async function compiled(text: string): Promise<string> {
  const path = '/m.ts'
  await pause()
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true)
  let emitted = ''
  const program = ts.createProgram([path], options, {
    fileExists: (asked) => asked === path,
    getCanonicalFileName: (asked) => asked,
    getCurrentDirectory: () => '/',
    getDefaultLibFileName: () => 'lib.d.ts',
    getNewLine: () => '\n',
    getSourceFile: (asked) => (asked === path ? source : undefined),
    readFile: () => undefined,
    useCaseSensitiveFileNames: () => true,
    writeFile: (_, written) => {
      emitted = written
    },
  })
  await pause()
  const errors = program.getSemanticDiagnostics(source).map(({ code, start }) => `${code} at ${start}`)
  program.emit()
  return [...errors, emitted].join('\n')
}

fuzz('TypeScript: files compile the same side by side', { first: lines, second: lines }, async ({ first, second }) => {
  const texts = [first, second].map((each) => each.join('\n'))
  const together = await Promise.all(texts.map(compiled))
  for (const [at, text] of texts.entries()) assert.equal(await compiled(text), together[at])
})

fuzz('TypeScript: to transpile removes types alone', { lines }, async ({ lines }) => {
  const text = lines.join('\n')
  const outputText = ts.transpile(text, { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext })
  await pause()
  assert.equal(ts.transpile(outputText, { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext }), outputText)
})
