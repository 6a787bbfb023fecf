import { expect, test } from 'vitest'
import { INFIX, POSTFIX, PREFIX, SYNONYMS } from '../../src/syntax/operators.ts'
import { refusal, shown } from './show.ts'

test('the operator that stands wholly above another binds more tightly', () => {
  expect(shown('a + b * c')).toBe('(+ a (* b c))')
  expect(shown('a * b + c')).toBe('(+ (* a b) c)')
  expect(shown('x \\in S \\cup T /\\ y')).toBe('(/\\ (\\in x (\\cup S T)) y)')
  expect(shown('a = b => c')).toBe('(=> (= a b) c)')
  expect(shown("x' = y + 1")).toBe("(= (' x) (+ y 1))")
  expect(shown('1 .. n + 1')).toBe('(.. 1 (+ n 1))')
  expect(shown('a + b - c')).toBe('(+ a (- b c))')
})

test('an associative operator is nested to the left, conjunction, disjunction and product are flat', () => {
  expect(shown('a - b - c')).toBe('(- (- a b) c)')
  expect(shown('a \\o b \\o c')).toBe('(\\o (\\o a b) c)')
  expect(shown('a /\\ b /\\ c /\\ d')).toBe('(/\\ a b c d)')
  expect(shown('a \\/ b \\lor c')).toBe('(\\/ a b c)')
  expect(shown('a \\X b \\times c')).toBe('(\\X a b c)')
  expect(shown('(a \\X b) \\X c')).toBe('(\\X ((\\X a b)) c)')
})

test('operators whose ranges overlap need parentheses', () => {
  for (const text of ['a /\\ b \\/ c', 'a = b = c', 'a => b => c', 'a \\cup b \\cap c', 'a / b * c', 'a % b - c']) {
    expect(refusal(text), text).toMatch(/cannot follow .* without parentheses/)
  }
  for (const text of ['a <=> b ~> c', 'a - b % c', 'a .. b .. c', 'a \\in b \\notin c', '[]a = b', "UNCHANGED x'"]) {
    expect(refusal(text), text).toMatch(/cannot follow .* without parentheses/)
  }
})

test('a prefix operator takes what binds more tightly than it', () => {
  expect(shown('~a /\\ b')).toBe('(/\\ (~ a) b)')
  expect(shown('~a = b')).toBe('(~ (= a b))')
  expect(shown('[]<>a => b')).toBe('(=> ([] (<> a)) b)')
  expect(shown('SUBSET S \\cup T')).toBe('(\\cup (SUBSET S) T)')
  expect(shown("DOMAIN f[1]'")).toBe("(DOMAIN (' f[1]))")
  expect(shown('a = ~b')).toBe('(= a (~ b))')
})

test('unary minus is told from subtraction by what stands before it', () => {
  expect(shown('-a')).toBe('(-. a)')
  expect(shown('-a + b')).toBe('(+ (-. a) b)')
  expect(shown('-a * b')).toBe('(-. (* a b))')
  expect(shown('a - -b')).toBe('(- a (-. b))')
  expect(shown('a + -b')).toBe('(+ a (-. b))')
  expect(shown('- - a')).toBe('(-. (-. a))')
  expect(shown('a = -1')).toBe('(= a (-. 1))')
  expect(refusal('a * -b')).toContain('`-` cannot follow the `*` of 1:3 without parentheses')
})

test('postfix operators, arguments and fields follow closely', () => {
  expect(shown("f[1].a'[2].b^+")).toBe("(^+ (' f[1].a)[2].b)")
  expect(shown("a + b'")).toBe("(+ a (' b))")
  expect(shown("(a + b)'")).toBe("(' ((+ a b)))")
  expect(shown('-f[1]')).toBe('(-. f[1])')
})

test('an operand that is open to the right reaches as far as it can', () => {
  expect(shown('a /\\ \\E x \\in S : b /\\ c')).toBe('(/\\ a (\\E x \\in S : (/\\ b c)))')
  expect(shown('1 + IF a THEN b ELSE c + d')).toBe('(+ 1 (IF a b (+ c d)))')
  expect(shown('a * LET b == 1 IN b + c')).toBe('(* a (LET b == 1 IN (+ b c)))')
})

test('synonyms have one spelling, signs of Unicode among them', () => {
  for (const [synonym, canonical] of SYNONYMS) {
    if (!INFIX.has(canonical)) continue
    expect(shown(`a ${synonym} b`), synonym).toBe(shown(`a ${canonical} b`))
  }
  expect(shown('∀ x ∈ S : ∃ y : □(x ≠ y)')).toBe('(\\A x \\in S : (\\E y : ([] ((# x y)))))')
  expect(shown('◇⟨x⟩_y ↝ [a ↦ ¬b, c ↦ [ℕ → ℤ]]')).toBe('(~> (<> <<x>>_y) [a |-> (~ b), c |-> [Nat -> Int]])')
})

test('every operator is in one table, and every synonym leads to one', () => {
  for (const [name, operator] of [...PREFIX, ...INFIX, ...POSTFIX]) {
    expect(operator.name).toBe(name)
    expect(operator.low).toBeLessThanOrEqual(operator.high)
    expect(SYNONYMS.has(name), name).toBe(false)
  }
  for (const canonical of SYNONYMS.values()) expect(SYNONYMS.has(canonical), canonical).toBe(false)
})

test('each infix operator can stand between operands, twice in a row only if it associates', () => {
  for (const { name, isAssociative } of INFIX.values()) {
    expect(refusal(`a ${name} b`), name).toBe('accepted')
    expect(refusal(`a ${name} b ${name} c`) === 'accepted', name).toBe(isAssociative)
  }
})
