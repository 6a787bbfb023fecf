/**
 * Programs full of branches and comparisons do the same under stock Node and in every build of
 * ours.
 *
 * The order of evaluation shows in what `see` logs; what is converted shows in `valueOf`.
 */
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { BUILDS, folder, loaderOf, run, runNatively } from './programs.ts'

const HELPERS = `const log = []; const see = (name, value = name) => { log.push(name); return value }
  const tried = (f) => { try { return f() } catch (e) { return [e.constructor.name, e.message] } }
  const odd = (name, value) => ({ valueOf() { log.push('valueOf ' + name); return value }, toString() { log.push('toString ' + name); return String(value) } })\n`

/** Each as an ES module and, in sloppy mode, as CommonJS; `out` is what it comes to. */
const programs: Record<string, string> = {
  'if, else, dangling else, without braces': `
    const f = (a, b) => { let r = ''; if (a) if (b) r += 1; else r += 2; if (a) r += 3; else if (b) r += 4; else r += 5
      if (a) ; else r += 6; if (b) { } else { r += 7 } if (a && b) r += 8
      else r += 9
      return r }
    out = [f(0, 0), f(0, 1), f(1, 0), f(1, 1)]`,
  'bodies of loops without braces, nested, with labels': `
    const r = []; let i = 0; for (;;) if (i++ > 3) break; else r.push(i)
    while (i --> 0) r.push(i); do r.push(i++); while (i < 2)
    for (const k in { a: 1, b: 2 }) r.push(k); for (const v of [1, 2]) for (const w of [3]) r.push(v * w)
    outer: for (let x = 0; x < 3; x++) inner: for (let y = 0; y < 3; y++) { if (y === 1) continue outer; if (x === 2) break outer; r.push([x, y]) }
    one: if (r.length) { break one; } block: { r.push('in'); if (r.length > 2) break block; r.push('never') }
    do if (i > 5) break; else i++
    while (true)
    const fs = []; for (let j = 0; j < 3; j++) fs.push(() => j); out = [r, i, fs.map((f) => f())]`,
  'switch: fall through, default in the middle, strings, no match, expressions, blocks': `
    const f = (v) => { const r = []; switch (see('d', v)) { case 1: r.push(1); case 2: case 3: r.push(23); break; default: r.push('d'); case 'x': r.push('x'); break; case see('e', 9): r.push(9); return r } r.push('end'); return r }
    const g = (v) => { switch (v) { case 'a': return 1; case 'b': case 'c': { let q = 2; return q } } return 0 }
    const h = (v, w) => { const r = []; l: switch (v) { case w: r.push('w'); if (r.length) break l; case v + 1: r.push('never'); break; case (r.push('tested'), 5): r.push('five') } return r }
    const j = (v) => { for (const x of [1, 2, 3]) switch (x) { case v: continue; default: if (x === 2) break; log.push('j' + x) } }
    const k = (v) => { switch (v) { } switch (v) { default: return 'only' } }
    switch (3) { case 3: let z = 1; const w = () => z; log.push(w()) }
    switch(typeof log){case"object":log.push('o');break;case"string":log.push('s')}
    j(1); out = [[1, 2, 3, 4, 'x', 9, NaN].map(f), ['a', 'b', 'c', 'd', 1].map(g), h(1, 1), h(1, 2), h(5, 1), k(1), log]`,
  'conditionals and logical operators, in every place': `
    let a = 0, b = null, c = '', o = { n: 0, get g() { return see('g', 0) }, set g(v) { see('set', v) } }; let u, v, w
    u ??= see('u'); u ??= see('no'); v ||= see('v'); v &&= see('vv'); o.g ||= see('og'); o.n &&= see('no'); w ??= () => 1; let x; x ||= function () {}; let y = 1; y &&= class {}; let z; z ??= (function () {})
    const t = a ? see('t1') : b ? see('t2') : c ? see('t3') : see('t4'); const p = (a || b || c || 'p') && (b ?? 'q'); const s = a && see('no') || see('yes') && (see('and'), 'last')
    const fs = [a ? () => 1 : () => 2, a || function () {}, b ?? class {}].map((f) => f.name); const call = (true && o.valueOf)?.name; const { d = see('default'), e = () => 1, n: [m = 2] = [] } = { e: undefined, n: undefined }
    out = [u, v, o.n, w.name, x.name, y.name, z.name, t, p, s, fs, call, d, e.name, m, log, (a, b, 1) ? (2, 3) : 4, true ? { a: 1 } : [], a ? 1 : b ? 2 : 3]`,
  'arrow functions without braces': `
    const f = (x) => x + 1, g = x => ({ x }), h = () => (1, 2), i = async () => await 5, j = (x) => (y) => x + y, k = () => [], l = () => \`t\${1}\`, m = x => y => z => x ? y : z, n = () => { }, o = (a = () => 1) => a()
    const p = () => function () { return 1 }, q = () => () => 1, r = async x => x === 1, s = () => class { }, t = (x) => x\n, v = () => /x/g
    out = Promise.all([i(), r(1)]).then((x) => [x, f(1), g(1), h(), j(1)(2), k(), l(), m(1)(2)(3), n(), o(), p()(), p().name, q().name, s().name, t(1), f.name, i.name, f.length, o.length, v().source])`,
  'functions of all kinds: directives, getters, static blocks, defaults, generators': `
    function sloppy() { return this === undefined } function strict() { 'use strict'; return this === undefined } function both() { 'a directive'
      "use strict"
      return this === undefined } function string() { 'use strict'.length; return typeof this }
    class B { constructor(x) { this.x = x } } class A extends B { #p = 1; static s = 0; static { A.s = 5; if (A.s === 5) A.s++ } constructor() { super(3); if (this.#p === 1) this.y = 2 } get g() { return this.#p } set g(v) { this.#p = v } static m() { return this === A } async am() { return 1 } *gen() { yield 1; if (this.x === 3) yield 2 } ['co' + 'mp']() { return 'c' } has(o) { return #p in o && o.#p === 1 } field = (a) => a === this.x; #h() { return 4 } h() { return this.#h() } }
    function* gen(a = see('default')) { const b = yield a; if ((yield b) === (yield 'c')) yield 'equal'; else yield 'not'; try { yield 'try' } finally { see('finally') } }
    const it = gen(), steps = [1, 2, 3, 3, 4].map((v) => it.next(v)); it.return(); const a = new A(); const o = { get x() { return 1 }, set x(v) { see('x', v) }, m() { return super.toString === Object.prototype.toString }, async *ag() { yield 1; yield 2 } }; o.x = 3
    function args() { arguments[0] = 9; return arguments.length } function dup(a, b = a, { c = b, ...r } = {}) { return [a, b, c, r] } const early = hoisted(); function hoisted() { return 'hoisted' }
    class D { constructor() { return { d: 1 } } } function N() { return new.target === N }
    out = (async () => { const ag = []; for await (const v of o.ag()) ag.push(v); return [sloppy(), strict(), both(), string(), A.s, a.y, a.g, A.m(), await a.am(), [...a.gen()], a.comp(), a.has(a), a.has({}), a.field(3), a.h(), steps, o.m(), ag, args(1, 2), dup(1), dup(1, 2, { c: 3, z: 4 }), early, new D().d, new N() instanceof N, log, A.name, A.prototype.h.name, gen.length] })()`,
  'try, catch, finally and what they give': `
    const f = (x) => { try { if (x === 1) throw new Error('one'); if (x === 2) return 'two'; return 'other' } catch { if (x !== 2) return 'caught' } finally { if (x === 3) return 'finally'; log.push(x) } }
    const g = () => { for (const x of [1, 2]) { try { continue } finally { log.push('f' + x) } } }; const h = () => { l: try { break l } finally { log.push('h') } return 'h' }
    g(); out = [f(1), f(2), f(3), f(4), h(), log, tried(() => { try { null.x } catch ({ message: m }) { throw new RangeError(m) } })]`,
  'equality and order: evaluated once, in order, converted by the operator': `
    const r = [see('a', 1) === see('b', 1), see('c') !== see('d'), see('e', '1') == see('f', 1), see('g', null) != see('h', undefined), odd('l', 1) < odd('r', 2), odd('l', 1) <= 1, 2 > odd('r', 2), odd('x', 'b') >= 'a', odd('m', 3) == 3, odd('m', 3) === 3, NaN === NaN, 0 === -0, 1n == 1, 1n < 2, 2n ** 70n > 1, 'a' < 'B', [2] > 1, null >= 0, undefined == 0, '' == 0, [] == '', Object(1) == 1]
    const both = odd('same', 1); const s = Symbol('s'); out = [r, log, both === both, tried(() => s < 1), tried(() => s == 1), tried(() => 1 > s), tried(() => undeclared === 1), tried(() => { later === 1; let later }), typeof undeclared === 'undefined', 1 < 2 < 3, 3 > 2 > 1, 1 === 1 === true, (1, 2) === (3, 2), !(1 === 2), -1 < -0.5, 'x' + (1 === 1), /* a */ 1 /* === */ === /* b */ 1 // c
      , 1
      ===
      1, (((1))) === (((1)))]`,
  'comparisons with await and yield inside': `
    const later = (v) => Promise.resolve(see(v)); function* g() { return (yield 1) === (yield 2) } const it = g(); it.next(); it.next('a'); const same = it.next('a').value
    out = (async () => [await later(1) === await later(1), (await later('abc')).includes(await later('b')), await later(2) < 3, [1, 2].includes(await later(2)), new Map([[1, 2]]).get(await later(1)), same, log, await (async () => { switch (await later('s')) { case await later('r'): return 'r'; case await later('s'): return 's' } })(),
      (await Promise.all(['p', 'q', 'r'].map(async (v) => 'pq'.includes(await later(v)))))])()`,
  'methods of strings, arrays, maps and sets: receivers, order, errors': `
    const m = new Map([['k', 1], [NaN, 2], [undefined, 3]]), st = new Set([1, 'a']), own = { has(x) { return [this === own, x] }, get: (k, d) => [k, d], includes() { return arguments.length }, startsWith: 5 }
    class M extends Map { get(k) { return 'own ' + super.get(k) } has(k) { return super.has(k) === true && this.size > 0 } } const mm = new M([['k', 1]]); const n = null, u = undefined, deep = { a: { b: 'text', s: 'xyz' } }; const proxy = new Proxy([1, 2], { get(t, k, r) { log.push(String(k)); return Reflect.get(t, k, r) } })
    const key = {}; m.set(key, 'object')
    out = ['text'.includes('x'), 'text'.startsWith('te', 0), 'text'.endsWith('t'), 'text'.indexOf('x', 1), 'text'.lastIndexOf('t'), [1, NaN].includes(NaN), [1, NaN].indexOf(NaN), [, 1].includes(undefined), m.get('k'), m.get(NaN), m.has(undefined), m.get(key), st.has('a'), st.has(2), own.has(1), own.get(1, 2), own.includes(1, 2, 3), own.includes(), mm.get('k'), mm.has('k'), n?.includes(1), deep?.a?.b.includes('x'), deep.x?.b.includes('x'), deep.a.s?.startsWith?.('x'), u?.a.b.has(1), (n ?? 'zz').includes('z'), proxy.includes(2), 'abc'['includes']('b'), 'a'.localeCompare('b'), Object.is(NaN, NaN), Object.is(0, -0), Object.is(1),
      'x'.includes(...['x']), see('o', 'xyz').includes(see('arg', 'y')), tried(() => n.includes(see('unseen'))), tried(() => deep.q.has(see('unseen too'))), tried(() => 'a'.includes(/a/)), tried(() => new Map().get.call({}, 1)), log, (1, m).get((2, 'k')), new (own.get(Date, 1)[0])(0).getTime(), new Set(['z']).has\`z\`, [['a', 1]].map(([k]) => 'abc'.includes(k)), (() => 'x')().includes('x'), \`a\${1}\`.includes('1'), [1, 2, 3].includes(2), { has: (k) => k === 1 }.has(1)]`,
  'assertions and what is named like them': `
    const equal = (...all) => all; const assert = { equal, strictEqual(a, b) { return [this === assert, a, b, arguments.length] }, is: (a, b) => a === b }; const is = (a) => a
    const expect = (v) => ({ toBe: (w) => v === w, not: { toBe: (w) => v !== w }, toEqual() { return arguments.length } })
    out = [equal(see(1), see(2), see(3)), equal(), equal(1), equal(...[1, 2]), equal(1, ...[2]), assert.equal(1, 2), assert.strictEqual(see('a'), see('b'), 'message'), assert.is(1, 1), is(4), assert?.equal(1, 2), expect(see('x', 1)).toBe(see('y', 1)), expect(1).not.toBe(2), expect(1).toEqual(1, 2), expect().toEqual(1), log, tried(() => assert.deepEqual(1, 2))]`,
  'words that stand close together, as minifiers write': `
    const f=x=>{if(x)return-1===x;else return"a"===x},g=x=>{switch(x){case"a":return!0;case-1:return!1;case x>3:return 2}return typeof x==="number"},h=function(x){for(const c of"abc")if(c===x)return c;return void 0===x?"none":x<0?"-":"+"};do;while(f(1)===2);var i=0;while(i<3)i++;if(i)i=4;else;out=[f(-1),f(0),f("a"),g("a"),g(-1),g(5),g(true),h("b"),h(),h(-1),h(2),i,i>3?"y":"n",i in[0,1,2,3,4],!(i===4),-(i>3),[..."ab"].includes("a")]`,
  'names that are ours': `
    const _norn_g0 = 'mine', _norn_ = 1, _norn_v0 = 2; const f = (x) => { switch (x) { case _norn_: return 'one'; case _norn_v0: return 'two' } return x === _norn_g0 }; out = [f(1), f(2), f('mine'), f(3)]`,
  'eval and new Function, and a function made anew from its text': `
    const local = 5; const f = (x) => x === 1 ? 'one' : x > 3 && [4, 5].includes(x) ? 'many' : 'few'; const g = eval('(' + f.toString() + ')'), h = new Function('return ' + f.toString())()
    out = [eval('local === 5 ? 1 : 2'), [1, 2, 4].map(f), [1, 2, 4].map(g), [1, 2, 4].map(h), (0, eval)('typeof local'), eval('if (local === 5) 1; else 2')]`,
  'what a text of a function is': `
    class A { static s() { return 1 === 1 } /* c */ m ( a = 1 ) { return a === 1 && a < 2 } get g() { return [1].includes(1) } async *h() { yield 1 } ['x' + 1]() {} }
    function named(a, b) { if (a === b) return 1; else return [a, b] } const arrow = (x) => x === 1 ? 2 : (x, 3); const curried = (a) => (b) => a === b; const o = { m() { return 1 }, get g() { return 2 }, async a() {}, f: async (x) => x === 1, s: function () { switch (1) { case named: } } }
    const text = (f) => Function.prototype.toString.call(f)
    out = [A, A.s, A.prototype.m, Object.getOwnPropertyDescriptor(A.prototype, 'g').get, A.prototype.h, A.prototype.x1, named, arrow, curried, curried(1), o.m, Object.getOwnPropertyDescriptor(o, 'g').get, o.a, o.f, o.s, class { static x = class { m() {} } }, Math.max, text, Function.prototype.toString].map(text).concat([named + '', \`\${arrow}\`, tried(() => text({}))])`,
}

/** Sloppy code alone. */
const sloppy: Record<string, string> = {
  'with, functions in blocks, octal, delete, arguments': `
    let r = []; with ({ a: 1, b: 'x' }) { if (a === 1) r.push(b.includes('x') ? 'yes' : 'no'); const f = (z) => a === z || b; r.push(f(1), f(2)) }
    if (true) function inIf() { return 'in if' } else function inElse() {}
    { function inBlock() { return 1 } } switch (1) { case 1: function inCase() { return 'in case' } } switch (r) { case r: function inOther() { return 'other' } }
    function a(x) { arguments[0] = 2; return x === 2 } var undeclared_ = (implicit = 3) === 3; l: function labelled() {}
    const seen = []; const scope = new Proxy({}, { has(t, k) { if (k === Symbol.unscopables) return false; seen.push(String(k)); return k === 'v' }, get: (t, k) => k === 'v' ? 7 : undefined }); with (scope) { v === 7 ? v : 0; (() => v > 1 && v)() }
    module.exports = [r, inIf(), inBlock(), inCase(), inOther(), a(1), undeclared_, 010, delete globalThis.implicit, seen]`,
  'a file that opens with "use strict"': `'use strict'; module.exports = [(function () { return this === undefined })(), (() => { try { undeclared = 1 } catch (e) { return e.name } })()]`,
  'a hashbang, and returning early': `#!/usr/bin/env node
    module.exports = 'early'; if (module.exports === 'early') return; module.exports = 'late'`,
  'an html comment': `var x = 1, y = 2 <!-- === z\n module.exports = [x === 1, x <!-- y\n < 2]`,
  'new.target at the top': `module.exports = [new.target === undefined]`,
}

const files: Record<string, string> = {}
for (const [index, text] of Object.values(programs).entries()) {
  files[`${index}.mjs`] = `let out; ${HELPERS}${text}\nexport default out`
  files[`${index}.cjs`] = `var out; ${HELPERS}${text}\nmodule.exports = out`
}
for (const [index, text] of Object.values(sloppy).entries()) files[`sloppy${index}.cjs`] = text

let root = ''
const expected = new Map<string, unknown>()

beforeAll(() => {
  root = folder(files)
  const names = Object.keys(files)
  const results = runNatively(names.map((name) => join(root, name)))
  for (const [index, name] of names.entries()) expected.set(name, JSON.parse(results[index]!))
})

async function same(name: string): Promise<void> {
  const native = expected.get(name)
  expect(native).not.toHaveProperty('error')
  for (const build of BUILDS) {
    const loader = loaderOf(build)
    expect({ build, result: await run(join(root, name), loader, build) }).toEqual({ build, result: native })
    // What is counted and noted by now makes no difference.
    for (let again = 0; again < 3; again++) {
      loader.coverage?.reset()
      expect(await run(join(root, name), loader, build)).toEqual(native)
    }
  }
}

describe.each([...Object.keys(programs).entries()])('%i', (index, name) => {
  test(`${name}: as an ES module`, () => same(`${index}.mjs`))
  test(`${name}: as CommonJS`, () => same(`${index}.cjs`))
})

test.each([...Object.keys(sloppy).entries()])('CommonJS alone %i: %s', (index) => same(`sloppy${index}.cjs`))
