/**
 * Writes docs/builtins.md from what the interceptors say (src/world/builtins.ts). A test compares the page with this
 * output.
 *
 *     node --expose-internals -C norn-source scripts/write-builtins.ts
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BUILTINS, GLOBALS } from '../packages/norn/src/world/builtins.ts'
import { type Builtin, KINDS, namesOf } from '../packages/norn/src/world/realm/builtin.ts'

export const PAGE = fileURLToPath(new URL('../docs/builtins.md', import.meta.url))

const INTRODUCTION = `# Builtin modules under norn

How norn treats each builtin module and each global of Node. Written by \`scripts/write-builtins.ts\` from what each
interceptor in \`src/world\` says; the tests check each entry on the Node they run on.

- **controlled**: determined by the program and the tape. The tape draws its latency.
- **gated**: the tape decides when; the value is the real one, and varies between runs. A program that depends on such a
  value does not replay exactly, and norn reports the nondeterminism.
- **uncontrolled**: makes the execution inconclusive, by name, because norn cannot judge it.
- **plain**: needs no control. The same arguments give the same result at once, on one machine.

Importing a builtin module that is not listed, of a newer Node, is uncontrolled. So are programs without
a stand-in, however a program reaches them.
`

/** The text of the page. */
export function page(): string {
  const modules = Object.entries(BUILTINS).map(([name, builtin]) => section(`node:${name}`, builtin))
  return [INTRODUCTION, section('Globals', GLOBALS), ...modules].join('\n')
}

function section(title: string, builtin: Builtin): string {
  const lines = [`## ${title}`, '']
  if (builtin.is !== undefined) lines.push(`- **${builtin.is}**`)
  for (const kind of KINDS) {
    const names = namesOf(builtin, kind)
    if (names.length > 0) lines.push(`- **${kind}**: ${names.map((name) => `\`${name}\``).join(', ')}`)
  }
  if (builtin.note !== undefined) lines.push('', builtin.note)
  return `${lines.join('\n')}\n`
}

if (import.meta.main === true || process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, page())
