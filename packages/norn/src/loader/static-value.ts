/**
 * The value of an expression in a configuration file, without running the file: literals, constants
 * of the file, and what such files compute paths with.
 */

import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { CallExpression, MemberExpression, Program } from 'acorn'
import { isNode, type Node, walk } from './syntax-tree.ts'

/** In place of a value that only running the file would tell. */
const UNKNOWN = Symbol('unknown')

/** Functions that configuration files import from node:path and node:url. */
const FUNCTIONS: Readonly<Record<string, (...values: string[]) => string>> = {
  resolve,
  join,
  dirname,
  fileURLToPath: (url) => fileURLToPath(url),
}

export class StaticValues {
  readonly #path: string
  readonly #constants = new Map<string, Node>()

  constructor(program: Program, path: string) {
    this.#path = path
    walk(program, (node) => {
      if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init != null)
        this.#constants.set(node.id.name, node.init)
      if (node.type === 'FunctionDeclaration' && node.id) this.#constants.set(node.id.name, node)
    })
  }

  /** The expression that a name stands for; other expressions stand for themselves. */
  expression(node: Node): Node {
    return (node.type === 'Identifier' && this.#constants.get(node.name)) || node
  }

  /** @param variables parameters of a function that is called */
  valueOf(node: Node, variables: Readonly<Record<string, unknown>> = {}): unknown {
    switch (node.type) {
      case 'Literal':
        return node.value
      case 'TemplateLiteral':
        return this.#concatenated([
          node.quasis[0]!.value.cooked,
          ...node.expressions.flatMap((each, index) => [
            this.valueOf(each, variables),
            node.quasis[index + 1]!.value.cooked,
          ]),
        ])
      case 'BinaryExpression':
        if (node.operator !== '+') return UNKNOWN
        return this.#concatenated([this.valueOf(node.left, variables), this.valueOf(node.right, variables)])
      case 'Identifier':
        return this.#named(node.name, variables)
      case 'MemberExpression':
        return this.#member(node, variables)
      case 'CallExpression':
        return this.#called(node, variables)
      case 'NewExpression':
        return isNamed(node.callee, 'URL') ? this.#url(node.arguments, variables) : UNKNOWN
      default:
        return UNKNOWN
    }
  }

  #concatenated(parts: readonly unknown[]): unknown {
    return parts.every((each) => typeof each === 'string') ? parts.join('') : UNKNOWN
  }

  #named(name: string, variables: Readonly<Record<string, unknown>>): unknown {
    if (Object.hasOwn(variables, name)) return variables[name]
    const constant = this.#constants.get(name)
    if (constant !== undefined) return this.valueOf(constant)
    return name === '__dirname' ? dirname(this.#path) : name === '__filename' ? this.#path : UNKNOWN
  }

  #member({ object, property, computed }: MemberExpression, variables: Readonly<Record<string, unknown>>): unknown {
    if (computed || property.type !== 'Identifier') return UNKNOWN
    if (object.type === 'MetaProperty') {
      const url = pathToFileURL(this.#path).href
      const meta: Record<string, string> = { url, dirname: dirname(this.#path), filename: this.#path }
      return meta[property.name] ?? UNKNOWN
    }
    const of = object.type === 'NewExpression' ? this.valueOf(object, variables) : UNKNOWN
    if (typeof of !== 'string') return UNKNOWN
    return property.name === 'pathname' ? new URL(of).pathname : property.name === 'href' ? of : UNKNOWN
  }

  #called(node: CallExpression, variables: Readonly<Record<string, unknown>>): unknown {
    const { callee } = node
    const name = callee.type === 'MemberExpression' ? callee.property : callee
    if (name.type !== 'Identifier') return UNKNOWN
    if (name.name === 'cwd') return process.cwd()
    const values = node.arguments.map((each) => this.valueOf(each, variables))
    const own = callee.type === 'Identifier' ? this.#constants.get(name.name) : undefined
    if (own !== undefined) return this.#returned(own, values)
    const known = Object.hasOwn(FUNCTIONS, name.name) ? FUNCTIONS[name.name] : undefined
    return known !== undefined && values.every((each) => typeof each === 'string') ? known(...values) : UNKNOWN
  }

  /** What a function of the file returns, if it is one expression. */
  #returned(called: Node, values: readonly unknown[]): unknown {
    if (!('params' in called) || !('body' in called) || !isNode(called.body)) return UNKNOWN
    const names = called.params.map((each) => (each.type === 'Identifier' ? each.name : ''))
    const { body } = called
    const [only] = body.type === 'BlockStatement' ? body.body : [body]
    const expression = only?.type === 'ReturnStatement' ? only.argument : only
    if (!expression) return UNKNOWN
    return this.valueOf(expression, Object.fromEntries(names.map((name, index) => [name, values[index] ?? UNKNOWN])))
  }

  #url(given: readonly Node[], variables: Readonly<Record<string, unknown>>): unknown {
    const [url, base] = given.map((each) => this.valueOf(each, variables))
    return typeof url === 'string' && typeof base === 'string' && URL.canParse(url, base)
      ? new URL(url, base).href
      : UNKNOWN
  }
}

const isNamed = (node: Node, name: string): boolean => node.type === 'Identifier' && node.name === name
