/**
 * Generated programs: trees of asynchronous operations. An operation logs its letter when it calls
 * back, and then starts the operations nested in it. What is compared is the order of the letters.
 *
 * Imports nothing of norn, so that stock Node can run them.
 */
import fs from 'node:fs'
import type { Context } from './context.ts'
import { Sockets } from './open-sockets.ts'
import { openPorts, vocabulary } from './vocabulary.ts'

export interface Node {
  /** A key of the vocabulary. */
  readonly kind: string
  readonly then: readonly Node[]
}

/** Where the program starts: in the main script, or in a callback of that phase. */
export type Start = 'main' | 'poll' | 'check' | 'timers'

export interface Program {
  readonly start: Start
  readonly roots: readonly Node[]
}

const STARTS: Record<Start, (begin: () => void, context: Context) => void> = {
  main: (begin) => begin(),
  poll: (begin, { at }) => fs.stat(at('file'), begin),
  check: (begin) => void setImmediate(begin),
  timers: (begin) => void setTimeout(begin, 1),
}

/** Runs a program once. @returns the letters in the order of the callbacks */
export function run({ start, roots }: Program, at: (name: string) => string): Promise<string> {
  fs.writeFileSync(at('file'), 'x'.repeat(100))
  const fd = fs.openSync(at('file'), 'r')
  const open = openPorts()
  let names = 0
  const sockets = new Sockets()
  const context: Context = { at, fd, open, sockets, fresh: () => `fresh-${names++}` }
  const letters = new Map(preorder(roots).map((node, index) => [node, letterOf(index)]))
  // Not every operation keeps the loop alive.
  const alive = setInterval(() => {}, 60_000)
  return new Promise((resolve) => {
    let order = ''
    let left = letters.size
    const begin = (nodes: readonly Node[]) => {
      for (const node of nodes) {
        vocabulary[node.kind]!.start(() => {
          order += letters.get(node)
          begin(node.then)
          if (--left > 0) return
          clearInterval(alive)
          open.close()
          sockets.close()
          fs.closeSync(fd)
          resolve(order)
        }, context)
      }
    }
    STARTS[start](() => begin(roots), context)
  })
}

/** The nodes in the order of their letters. */
export function preorder(nodes: readonly Node[]): readonly Node[] {
  return nodes.flatMap((node) => [node, ...preorder(node.then)])
}

export function letterOf(index: number): string {
  return String.fromCharCode(97 + index)
}

/** The program as a person reads it: one operation a line, nested ones indented. */
export function describe({ start, roots }: Program): string {
  const lines: string[] = []
  const add = (nodes: readonly Node[], indent: string) => {
    for (const { kind, then } of nodes) {
      lines.push(`${letterOf(lines.length)} ${indent}${kind}`)
      add(then, `${indent}  `)
    }
  }
  add(roots, '')
  return [`from ${start === 'main' ? 'the main script' : `a callback of the ${start} phase`}:`, ...lines].join('\n  ')
}
