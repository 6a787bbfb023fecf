/**
 * Writes docs/builtins.md from the table in src/world/builtins.ts. A test holds that the page is
 * what this would write.
 *
 *     node scripts/write-builtins.ts
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BUILTINS, type Builtin, GLOBALS, KINDS, namesOf } from '../packages/norn/src/world/builtins.ts'

export const PAGE = fileURLToPath(new URL('../docs/builtins.md', import.meta.url))

const INTRODUCTION = `# Builtin modules under norn

What the world does with each builtin module and each global of Node. Written by \`scripts/write-builtins.ts\` from the table
in \`src/world/builtins.ts\`; the tests probe what stands here on the Node they run on.

- **controlled**: a function of the program and the tape. What can be late is late by the tape.
- **gated**: the tape decides when; the value is the real one, and another in every run. A program whose course hangs on
  such a value is not repeated exactly; the determinism guard tells.
- **void**: voids the execution, by name: norn does not judge what it does not control.
- **plain**: nothing to control. The same arguments give the same answer at once, on one machine.

A builtin module that is not listed, of a newer Node, voids the execution that imports it. Worker threads, child processes,
sockets and native addons are void in whatever way they are reached.
`

/** The page, as it has to be. */
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
