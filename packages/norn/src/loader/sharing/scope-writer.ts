/**
 * Inserts into a program what makes the variables of its live scopes readable and writable from outside:
 *
 *     let t = keep && keep(module, (i, w, v) => { switch (i) { case 0: if (w) x = v; return x;default: return t } }, 1)
 *
 * stands in each scope with variables that a closure captures; a class with private fields, or whose fields
 * capture `this`, has it in a private field. While `keep` is undefined, which is nearly always, it costs a test.
 * The token that `keep` returns lives exactly as long as the scope: only the scope refers to it.
 *
 * Invariants: insertions contain no line breaks, change no value, order, completion or name, and stand in
 * markers by which `Function.prototype.toString` leaves them out. A program with a direct `eval` or `with` is
 * opaque. Where variables are captured for which there is no place (those of a `switch`, and those that closures
 * among the parameters capture), the function tells when it is called.
 */
import type { ArrowFunctionExpression, ClassBody, Program } from 'acorn'
import { analyze, type Scope, type Variable } from 'eslint-scope'
import type MagicString from 'magic-string'
import { declaredNames } from '../esm-shape.ts'
import { isFunction, type Node, walk } from '../syntax-tree.ts'
import { HOLDER } from './scope-tokens.ts'

export interface ScopeWriter {
  /** Call it for every node, parents first, before other instrumentation of the node. */
  visit(node: Node): void
  /** Whether variables may keep what no token shows; once all nodes were visited. */
  isOpaque(): boolean
}

/** What a token gives access to. */
interface Reach {
  /** The names of variables, and whether each is assigned after its declaration. */
  readonly names: Map<string, boolean>
  reachesThis: boolean
  /** Whether it has variables that no token shows. */
  isOpaque: boolean
}

/** What a class has in private fields. */
interface ClassReach {
  readonly fields: string[]
  readonly statics: string[]
  /** Whether a field captures the object. */
  reachesThis: boolean
  /** Whether its code captures the class. */
  reachesClass: boolean
}

/** Around what is inserted, behind a stem; see `function-text.ts`. */
export const MARKS = ['in', 'out'] as const

/** @param module the number of the module, which `keep` gets, as it stands in the text */
export function scopeWriter(text: MagicString, stem: string, module: string): ScopeWriter {
  const [start, end] = MARKS.map((mark) => `/*${stem}${mark}*/`) as [string, string]
  const marked = (inserted: string): string => `${start}${inserted}${end}`
  const token = ({ names, reachesThis }: Reach): string => {
    const cases = [...names].map(
      ([name, isWritten], index) => `case ${index}:${isWritten ? `if(${stem}w)${name}=${stem}v;` : ''}return ${name};`,
    )
    return `${keep(cases, reachesThis, `default:return ${stem}t`)}`
  }
  const keep = (cases: string[], reachesThis: boolean, rest: string): string => {
    if (reachesThis) cases.push(`case ${cases.length}:return this;`)
    const accessor = `(${stem}i,${stem}w,${stem}v)=>{switch(${stem}i){${cases.join('')}${rest}}}`
    return `${HOLDER}.keep&&${HOLDER}.keep(${module},${accessor},${cases.length})`
  }
  let found: Reaches | undefined

  /** In a block, behind its directives. */
  function atStart(block: { start: number; body: readonly Node[] }, offset: number, inserted: string): void {
    const last = block.body.findLast((each) => each.type === 'ExpressionStatement' && each.directive !== undefined)
    if (last === undefined) text.appendRight(offset, marked(`${inserted};`))
    else text.appendLeft(last.end, marked(`;${inserted};`))
  }

  function inBody(node: Node, inserted: string): void {
    if (node.type === 'BlockStatement') {
      atStart(node, node.start + 1, inserted)
      return
    }
    text.appendRight(node.start, marked(`{${inserted};`))
    text.prependLeft(node.end, marked('}'))
  }

  function inArrow(node: ArrowFunctionExpression, inserted: string): void {
    text.appendRight(arrowEnd(node, text.original), marked(`{${inserted};return(`))
    text.prependLeft(node.end, marked(')}'))
  }

  function inClass({ fields, statics, reachesThis, reachesClass }: ClassReach, body: ClassBody): void {
    const access = (names: readonly string[]) =>
      names.map((name, index) => `case ${index}:if(${stem}w)this.#${name}=${stem}v;return this.#${name};`)
    const lines: string[] = []
    if (fields.length > 0 || reachesThis) lines.push(`#${stem}t=${keep(access(fields), true, '')};`)
    if (statics.length > 0 || reachesClass) lines.push(`static #${stem}s=${keep(access(statics), true, '')};`)
    text.appendRight(body.start + 1, marked(lines.join('')))
  }

  return {
    isOpaque: () => found!.isOpaque,
    visit(node) {
      if (node.type === 'Program') found = reachesOf(node)
      const { reaches, classes, isOpaque } = found!
      const inClassBody = node.type === 'ClassBody' ? classes.get(node) : undefined
      if (inClassBody !== undefined && !isOpaque) inClass(inClassBody, node as ClassBody)
      const reach = reaches.get(node)
      if (reach === undefined || isOpaque) return
      const inserted = `${reach.isOpaque ? `${HOLDER}.keep&&${HOLDER}.cannot(${module});` : ''}let ${stem}t=${token(reach)}`
      if (node.type === 'Program') atStart(node, 0, inserted)
      else if (node.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement') inArrow(node, inserted)
      else if (node.type === 'StaticBlock')
        text.appendRight(text.original.indexOf('{', node.start) + 1, marked(`${inserted};`))
      else if ('body' in node && node.body !== null && !Array.isArray(node.body)) inBody(node.body as Node, inserted)
      else inBody(node, inserted)
    },
  }
}

/** Behind the `=>` of an arrow function. */
function arrowEnd(node: ArrowFunctionExpression, source: string): number {
  const comments = /\s+|\/\*[\s\S]*?\*\/|\/\/[^\n\r\u2028\u2029]*|[(),]|(=>)/y
  comments.lastIndex = node.params.at(-1)?.end ?? source.indexOf('(', node.start)
  while (true) {
    const found = comments.exec(source)
    if (found === null) throw new Error(`no arrow from ${node.start} on`)
    if (found[1] !== undefined) return comments.lastIndex
  }
}

interface Reaches {
  readonly reaches: ReadonlyMap<Node, Reach>
  readonly classes: ReadonlyMap<ClassBody, ClassReach>
  readonly isOpaque: boolean
}

function reachesOf(program: Program): Reaches {
  const isModule = program.sourceType === 'module'
  const exported = isModule ? exportedNames(program) : new Set<string>()
  const reaches = new Map<Node, Reach>()
  const classes = new Map<ClassBody, ClassReach>()
  let isOpaque = false
  const reachOf = (node: Node): Reach => {
    let reach = reaches.get(node)
    if (reach === undefined) reaches.set(node, (reach = { names: new Map(), reachesThis: false, isOpaque: false }))
    return reach
  }
  const classOf = (node: ClassBody): ClassReach => {
    let reach = classes.get(node)
    if (reach === undefined)
      classes.set(node, (reach = { fields: [], statics: [], reachesThis: false, reachesClass: false }))
    return reach
  }
  const scopes = analyze(program as Parameters<typeof analyze>[0], {
    ecmaVersion: 2022,
    sourceType: isModule ? 'module' : 'commonjs',
    fallback: 'iteration',
    ignoreEval: true,
  }).scopes
  for (const scope of scopes) {
    if (scope.type === 'with') isOpaque = true
    if (scope.type === 'global') continue
    if (scope.type === 'class') {
      // The class by its own name, which may be the only way to it.
      const { body } = scope.block as unknown as { readonly body: ClassBody }
      if (scope.variables.some((each) => isCaptured(each, scope))) classOf(body).reachesClass = true
      continue
    }
    if (scope.type === 'function-expression-name') {
      const [called] = scope.childScopes
      for (const { name, references } of scope.variables)
        if (references.some(({ from }) => from.variableScope !== called))
          reachOf(scope.block as Node).names.set(name, false)
      continue
    }
    const isTop = (scope.block as Node).type === 'Program'
    for (const variable of scope.variables) {
      // Their values are in the cells of other modules.
      if (variable.defs.some((each) => each.type === 'ImportBinding')) continue
      if (!isCaptured(variable, scope) && !(isTop && exported.has(variable.name))) continue
      const place = placeOf(scope)
      if (place === undefined || isCapturedByParameters(variable, scope)) {
        const owner = scope.variableScope.block as Node
        if (owner.type === 'Program') isOpaque = true
        else reachOf(owner).isOpaque = true
        continue
      }
      // An inner one of the same name hides it.
      reachOf(place).names.set(variable.name, isAssigned(variable))
    }
  }
  walk(program, (node, ancestors) => {
    if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'eval')
      isOpaque = true
    if (node.type === 'PropertyDefinition' && node.key.type === 'PrivateIdentifier') {
      const { fields, statics } = classOf(ancestors.at(-1) as ClassBody)
      ;(node.static ? statics : fields).push(node.key.name)
    }
    if (node.type !== 'ThisExpression' && node.type !== 'Super') return
    const owner = capturedThis(ancestors)
    if (owner?.type === 'PropertyDefinition') {
      const reach = classOf(ancestors[ancestors.indexOf(owner) - 1] as ClassBody)
      if (owner.static) reach.reachesClass = true
      else reach.reachesThis = true
    } else if (owner !== undefined) reachOf(owner).reachesThis = true
  })
  return { reaches, classes, isOpaque }
}

/** The variables that a module exports, which others read. */
function exportedNames({ body }: Program): ReadonlySet<string> {
  const names = new Set<string>()
  for (const node of body) {
    const declared =
      node.type === 'ExportNamedDeclaration' || node.type === 'ExportDefaultDeclaration' ? node.declaration : undefined
    for (const name of declared ? declaredNames(declared as Node) : []) names.add(name)
    if (node.type !== 'ExportNamedDeclaration' || node.source) continue
    for (const { local } of node.specifiers) if (local.type === 'Identifier') names.add(local.name)
  }
  return names
}

function isCaptured({ references }: Variable, scope: Scope): boolean {
  return references.some(({ from }) => from.variableScope !== scope.variableScope)
}

/** Whether a closure among the parameters captures it: such a closure does not keep the scope of the body alive. */
function isCapturedByParameters({ references }: Variable, scope: Scope): boolean {
  const { body } = scope.block as { body?: Node | readonly Node[] }
  if (scope.type !== 'function' || body === undefined || Array.isArray(body)) return false
  const { start } = body as Node
  return references.some(
    ({ from, identifier }) =>
      from.variableScope !== scope.variableScope && (identifier as unknown as Node).start < start,
  )
}

/** Whether it may have another value than that of its declaration. */
function isAssigned({ defs, references }: Variable): boolean {
  if (defs.some((each) => each.type === 'ClassName')) return false
  if (defs.some((each) => (each.parent as { kind?: string } | null)?.kind === 'const')) return false
  return references.some((each) => each.isWrite() && !each.init)
}

/** The node in which the token of a scope stands; undefined if there is no place for one. */
function placeOf({ type, block }: Scope): Node | undefined {
  const node = block as Node
  if (type === 'for' || type === 'catch') {
    const { body } = node as Extract<Node, { type: 'ForStatement' | 'CatchClause' }>
    return body.type === 'BlockStatement' ? body : node
  }
  if (type === 'module' || type === 'function' || type === 'block' || type === 'class-static-block') return node
  return undefined
}

/** What owns the `this` that an arrow function captures: a function, a field of a class, or a static block. */
function capturedThis(ancestors: readonly Node[]): Node | undefined {
  let isWithinArrow = false
  for (let at = ancestors.length - 1; at >= 0; at--) {
    const node = ancestors[at]!
    if (node.type === 'ArrowFunctionExpression') isWithinArrow = true
    else if (isFunction(node)) return isWithinArrow ? node : undefined
    else if (node.type === 'PropertyDefinition' && ancestors[at + 1] !== node.key)
      return isWithinArrow ? node : undefined
    else if (node.type === 'StaticBlock') return isWithinArrow ? node : undefined
  }
  return undefined
}
