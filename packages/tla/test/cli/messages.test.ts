/** Error messages of `norn tla check`: each names the place, the values, and what to do. */
import { describe, expect, it } from 'vitest'
import { project } from './project.ts'

/** Checks a module of these lines. Times are left out of what is printed. */
async function checked(name: string, lines: string, configuration: string | undefined, ...options: string[]) {
  const { call } = project({
    [`${name}.tla`]: `---- MODULE ${name} ----\n${lines}\n====\n`,
    ...(configuration === undefined ? {} : { [`${name}.cfg`]: `${configuration}\n` }),
  })
  const { status, stdout, stderr } = await call('check', name, ...options)
  return { status, text: `${stdout}${stderr}`.replace(/\(\d[\d.]* s\)/, '(… s)').trimEnd() }
}

describe('what is wrong is told with its place and its values', () => {
  it('a broken invariant', async () => {
    const { status, text } = await checked(
      'Counter',
      String.raw`EXTENDS Naturals
VARIABLES count, done
Init == count = 0 /\ done = FALSE
Increment(by) == count < 3 /\ count' = count + by /\ UNCHANGED done
Finish == count = 3 /\ done' = TRUE /\ UNCHANGED count
Next == (\E by \in 1..2 : Increment(by)) \/ Finish
Small == done \in BOOLEAN /\ count <= 2`,
      'INIT Init\nNEXT Next\nINVARIANT Small',
    )
    expect(text).toMatchInlineSnapshot(`
      "✗ the invariant Small is false in the last of these states
        Counter.tla:8:30: this is false
            8 | Small == done \\in BOOLEAN /\\ count <= 2
              |                              ^^^^^^^^^^
          count = 3

      The behaviour up to this point (after the first state, only changes):

      State 1: <Initial predicate>
      /\\ count = 0
      /\\ done = FALSE

      State 2: <Increment(1) line 5, col 18 to line 5, col 67 of module Counter>
      /\\ count = 1

      State 3: <Increment(2) line 5, col 18 to line 5, col 67 of module Counter>
      /\\ count = 3

      4 distinct states, 5 generated, depth 3, 1 in the queue (… s)"
    `)
    expect(status).toBe(1)
  })

  it('what is legal and hardly meant, beside the result', async () => {
    const { status, text } = await checked(
      'Twice',
      `VARIABLE x
---- MODULE Part ----
VARIABLE y
====
P == INSTANCE Part WITH y <- x
P == INSTANCE Part WITH y <- x
Init == x = 0
Next == x' = x`,
      'INIT Init\nNEXT Next',
    )
    expect(text).toMatchInlineSnapshot(`
      "✓ 1 distinct state, 2 generated, depth 1, no error (… s)
      Twice.tla:7:1: warning: instance \`P\` is already defined (Twice.tla:6:1), and the name keeps referring to it
          7 | P == INSTANCE Part WITH y <- x
            | ^"
    `)
    expect(status).toBe(0)
  })

  it('a deadlock', async () => {
    const { status, text } = await checked(
      'Stuck',
      String.raw`EXTENDS Naturals
VARIABLE count
Init == count = 0
Add(n) == count + n <= 3 /\ count' = count + n
Reset == count = 3 /\ count' = 0
Next == (\E n \in {2} : Add(n)) \/ Reset`,
      'INIT Init\nNEXT Next',
    )
    expect(text).toMatchInlineSnapshot(`
      "✗ deadlock: the last of these states has no successor
        Add(n) is not enabled for any n
        Reset is not enabled: count = 3 is false (Stuck.tla:6:10, count = 2)
        if termination is intended, set CHECK_DEADLOCK FALSE in the configuration or pass --no-deadlock

      The behaviour up to this point (after the first state, only changes):

      State 1: <Initial predicate>
      count = 0

      State 2: <Add(2) line 5, col 11 to line 5, col 46 of module Stuck>
      count = 2

      2 distinct states, 2 generated, depth 2 (… s)"
    `)
    expect(status).toBe(1)
  })

  it('a failed ASSUME', async () => {
    const { status, text } = await checked(
      'Assumed',
      String.raw`EXTENDS Naturals
CONSTANT N
ASSUME N \in Nat /\ N > 3
VARIABLE x
Init == x = 0
Next == x' = N - x`,
      'INIT Init\nNEXT Next\nCONSTANT N = 2',
    )
    expect(text).toMatchInlineSnapshot(`
      "✗ the assumption N \\in Nat /\\ N > 3 is false
        Assumed.tla:4:21: this is false
            4 | ASSUME N \\in Nat /\\ N > 3
              |                     ^^^^^
          N = 2

      0 distinct states, 0 generated, depth 0 (… s)"
    `)
    expect(status).toBe(1)
  })

  it('an evaluation error in one action', async () => {
    const { status, text } = await checked(
      'Wrong',
      String.raw`EXTENDS Naturals, Sequences
VARIABLE queue
Init == queue = <<7>>
Push == Len(queue) < 1 /\ queue' = Append(queue, 7)
Pop == queue' = Tail(queue)
Next == Push \/ Pop`,
      'INIT Init\nNEXT Next',
    )
    expect(text).toMatchInlineSnapshot(`
      "✗ Wrong.tla:6:17: Tail of the empty sequence
            6 | Pop == queue' = Tail(queue)
              |                 ^^^^^^^^^^^
          in Pop (Wrong.tla:7:17)
          in Next (Wrong.tla:7:1)

      The behaviour up to this point (after the first state, only changes):

      State 1: <Initial predicate>
      queue = <<7>>

      State 2: <Pop line 6, col 8 to line 6, col 27 of module Wrong>
      queue = <<>>

      2 distinct states, 3 generated, depth 2 (… s)"
    `)
    expect(status).toBe(1)
  })

  it('an evaluation error in an invariant', async () => {
    const { status, text } = await checked(
      'WrongInvariant',
      `EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = 1 - x
Of(n) == <<"zero">>[n + 1]
Known == Of(x) = "zero"`,
      'INIT Init\nNEXT Next\nINVARIANT Known',
    )
    expect(text).toMatchInlineSnapshot(`
      "✗ WrongInvariant.tla:6:10: attempted to apply the tuple <<"zero">> to 2, which is not in its domain 1..1
            6 | Of(n) == <<"zero">>[n + 1]
              |          ^^^^^^^^^^^^^^^^^
          in Of (WrongInvariant.tla:7:10)
          in Known (WrongInvariant.tla:7:1)

      The behaviour up to this point (after the first state, only changes):

      State 1: <Initial predicate>
      x = 0

      State 2: <Next line 5, col 9 to line 5, col 18 of module WrongInvariant>
      x = 1

      2 distinct states, 2 generated, depth 2 (… s)"
    `)
    expect(status).toBe(1)
  })

  it('a missing module', async () => {
    const { status, text } = await checked(
      'Missing',
      `EXTENDS Naturals, Seqences
VARIABLE x
Init == x = 0
Next == x' = 1 - x`,
      'INIT Init\nNEXT Next',
    )
    expect(text).toMatchInlineSnapshot(`
      "Missing.tla:2:19: module \`Seqences\` not found: looked for \`Seqences.tla\` in \`.\` and among norn's modules; did you mean \`Sequences\`?
          2 | EXTENDS Naturals, Seqences
            |                   ^^^^^^^^"
    `)
    expect(status).toBe(2)
  })

  it('an undefined operator', async () => {
    const { status, text } = await checked(
      'Undefined',
      `EXTENDS Naturals
VARIABLE count
Increment(n) == n + 1
Init == count = 0
Next == count' = Incremet(count)`,
      'INIT Init\nNEXT Next',
    )
    expect(text).toMatchInlineSnapshot(`
      "Undefined.tla:6:18: \`Incremet\` is not defined; did you mean \`Increment\`?
          6 | Next == count' = Incremet(count)
            |                  ^^^^^^^^"
    `)
    expect(status).toBe(2)
  })

  it('a configuration that names a constant which does not exist', async () => {
    const { status, text } = await checked(
      'Unknown',
      `EXTENDS Naturals
CONSTANT Limit
VARIABLE x
Init == x = 0
Next == x' = (x + 1) % Limit`,
      'INIT Init\nNEXT Next\nCONSTANTS\n  Limit = 3\n  Limmit = 4',
    )
    expect(text).toMatchInlineSnapshot(`
      "Unknown.cfg:5:3: the configuration gives a value to \`Limmit\`, which does not exist in module Unknown; did you mean \`Limit\`?
          5 |   Limmit = 4
            |   ^^^^^^"
    `)
    expect(status).toBe(2)
  })

  it('a constant without a value', async () => {
    const { status, text } = await checked(
      'Unassigned',
      `EXTENDS Naturals
CONSTANTS Limit, Start
VARIABLE x
Init == x = Start
Next == x' = (x + 1) % Limit`,
      'INIT Init\nNEXT Next\nCONSTANT Start = 0',
    )
    expect(text).toMatchInlineSnapshot(`
      "Unassigned.tla:3:11: the constant Limit has no value: add \`CONSTANT Limit = …\` to the configuration
          3 | CONSTANTS Limit, Start
            |           ^^^^^"
    `)
    expect(status).toBe(2)
  })

  it('an invariant that is not defined', async () => {
    const { status, text } = await checked(
      'Uninvariant',
      String.raw`EXTENDS Naturals
VARIABLE x
TypeOK == x \in Nat
Init == x = 0
Next == x' = 1 - x`,
      'INIT Init\nNEXT Next\nINVARIANT TypeOk',
    )
    expect(text).toMatchInlineSnapshot(`
      "Uninvariant.cfg:3:11: the configuration names \`TypeOk\` as an invariant, but module Uninvariant does not define it; did you mean \`TypeOK\`?
          3 | INVARIANT TypeOk
            |           ^^^^^^"
    `)
    expect(status).toBe(2)
  })

  it('CHOOSE without a witness', async () => {
    const { status, text } = await checked(
      'Choice',
      String.raw`EXTENDS Naturals
VARIABLE x
Above(n) == CHOOSE y \in 1..3 : y > n
Init == x = 2
Next == x' = Above(x)`,
      'INIT Init\nNEXT Next',
    )
    expect(text).toMatchInlineSnapshot(`
      "✗ Choice.tla:4:13: no element of {1, 2, 3} satisfies the body of this CHOOSE
            4 | Above(n) == CHOOSE y \\in 1..3 : y > n
              |             ^^^^^^^^^^^^^^^^^^^^^^^^^
          in Above (Choice.tla:6:14)
          in Next (Choice.tla:6:1)

      The behaviour up to this point (after the first state, only changes):

      State 1: <Initial predicate>
      x = 2

      State 2: <Next line 6, col 9 to line 6, col 21 of module Choice>
      x = 3

      2 distinct states, 2 generated, depth 2 (… s)"
    `)
    expect(status).toBe(1)
  })

  it('an unbounded quantifier', async () => {
    const { status, text } = await checked(
      'Unbounded',
      String.raw`EXTENDS Naturals
VARIABLE x
Init == x = 1
Next == (\E y : y > x) /\ x' = x + 1`,
      'INIT Init\nNEXT Next',
    )
    expect(text).toMatchInlineSnapshot(`
      "✗ Unbounded.tla:5:10: an unbounded \\E cannot be evaluated: add a set, as in \`\\E x \\in S : …\`
            5 | Next == (\\E y : y > x) /\\ x' = x + 1
              |          ^^^^^^^^^^^^
          in Next (Unbounded.tla:5:1)

      The behaviour up to this point (after the first state, only changes):

      State 1: <Initial predicate>
      x = 1

      1 distinct state, 1 generated, depth 1 (… s)"
    `)
    expect(status).toBe(1)
  })

  it('a quantifier over an infinite set', async () => {
    const { status, text } = await checked(
      'Infinite',
      String.raw`EXTENDS Naturals
VARIABLE x
Init == x = 1
Next == \E y \in Nat : x' = y`,
      'INIT Init\nNEXT Next',
    )
    expect(text).toMatchInlineSnapshot(`
      "✗ Infinite.tla:5:18: attempted to enumerate the infinite set Nat: use a finite set, such as \`0..9\`
            5 | Next == \\E y \\in Nat : x' = y
              |                  ^^^
          in Next (Infinite.tla:5:1)

      The behaviour up to this point (after the first state, only changes):

      State 1: <Initial predicate>
      x = 1

      1 distinct state, 1 generated, depth 1 (… s)"
    `)
    expect(status).toBe(1)
  })

  it('a state space past its bound', async () => {
    const { status, text } = await checked(
      'Large',
      String.raw`EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y = 0
Next == \/ x' = x + 1 /\ UNCHANGED y
        \/ y' = y + 1 /\ UNCHANGED x`,
      'INIT Init\nNEXT Next',
      '--states',
      '1000',
    )
    expect(text).toMatchInlineSnapshot(`
      "? state bound reached: not everything was explored
        raise --states, or reduce the state space: smaller constants, a CONSTRAINT, SYMMETRY

      1,000 distinct states, 1,913 generated, depth 45, 44 in the queue (… s)"
    `)
    expect(status).toBe(3)
  })

  it('a depth past its bound', async () => {
    const { status, text } = await checked(
      'Long',
      `EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = x + 1`,
      'INIT Init\nNEXT Next',
      '--depth',
      '5',
    )
    expect(text).toMatchInlineSnapshot(`
      "? depth bound reached: not everything was explored
        no shorter behaviour has an error; raise --depth to explore longer ones

      5 distinct states, 5 generated, depth 5, 1 in the queue (… s)"
    `)
    expect(status).toBe(3)
  })

  it('a syntax error', async () => {
    const { status, text } = await checked(
      'Syntax',
      `EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = (x + ) % 3`,
      'INIT Init\nNEXT Next',
    )
    expect(text).toMatchInlineSnapshot(`
      "Syntax.tla:5:19: expected an expression, found \`)\`
          5 | Next == x' = (x + ) % 3
            |                   ^"
    `)
    expect(status).toBe(2)
  })

  it('a wrong configuration', async () => {
    const { status, text } = await checked(
      'Configured',
      `EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = 1 - x`,
      'INIT Init\nNEXT Next\nINVARIENT TypeOK',
    )
    expect(text).toMatchInlineSnapshot(`
      "Configured.cfg:3:1: expected one name after \`NEXT\`, then a keyword, found \`INVARIENT\`; did you mean 'INVARIANT' or 'INVARIANTS'?
          3 | INVARIENT TypeOK
            | ^^^^^^^^^"
    `)
    expect(status).toBe(2)
  })

  it('comparing 1 with "a"', async () => {
    const { status, text } = await checked(
      'Compare',
      String.raw`VARIABLES x, y
Init == x = 1 /\ y = "a"
Same == x = y
Next == Same /\ UNCHANGED <<x, y>>`,
      'INIT Init\nNEXT Next',
    )
    expect(text).toMatchInlineSnapshot(`
      "✗ Compare.tla:4:9: attempted to compare the integer 1 with the string "a"
            4 | Same == x = y
              |         ^^^^^
          in Same (Compare.tla:5:9)
          in Next (Compare.tla:5:1)

      The behaviour up to this point (after the first state, only changes):

      State 1: <Initial predicate>
      /\\ x = 1
      /\\ y = "a"

      1 distinct state, 1 generated, depth 1 (… s)"
    `)
    expect(status).toBe(1)
  })

  it('a successor that is not fully assigned', async () => {
    const { status, text } = await checked(
      'Partial',
      String.raw`EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y = 0
Step(n) == x' = x + n
Next == \E n \in 1..2 : Step(n)`,
      'INIT Init\nNEXT Next',
    )
    expect(text).toMatchInlineSnapshot(`
      "✗ Partial.tla:5:12: y' has no value after Step: assign it, or write \`UNCHANGED y\`
            5 | Step(n) == x' = x + n
              |            ^^^^^^^^^^
          in Step with n = 1 (Partial.tla:6:25)
          in Next (Partial.tla:6:1)

      The behaviour up to this point (after the first state, only changes):

      State 1: <Initial predicate>
      /\\ x = 0
      /\\ y = 0

      1 distinct state, 2 generated, depth 1 (… s)"
    `)
    expect(status).toBe(1)
  })

  it('an initial state that is not fully assigned', async () => {
    const { status, text } = await checked(
      'Begun',
      `EXTENDS Naturals
VARIABLES x, y
Init == x = 0
Next == UNCHANGED <<x, y>>`,
      'INIT Init\nNEXT Next',
    )
    expect(text).toMatchInlineSnapshot(`
      "✗ Begun.tla:4:9: y has no value in an initial state: the initial predicate must assign it
            4 | Init == x = 0
              |         ^^^^^
          in Init (Begun.tla:4:1)

      0 distinct states, 0 generated, depth 0 (… s)"
    `)
    expect(status).toBe(1)
  })

  it('no initial state', async () => {
    const { status, text } = await checked(
      'Empty',
      String.raw`EXTENDS Naturals
VARIABLE x
Init == x \in {1, 2} /\ x > 2
Next == UNCHANGED x`,
      'INIT Init\nNEXT Next',
    )
    expect(text).toMatchInlineSnapshot(`
      "? no state satisfies the initial predicate: nothing was checked
        look for a conjunct that is always false, or an empty set

      0 distinct states, 0 generated, depth 0 (… s)"
    `)
    expect(status).toBe(3)
  })

  it('an invariant that is no boolean', async () => {
    const { status, text } = await checked(
      'Number',
      `EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = 1 - x
Inv == x + 1`,
      'INIT Init\nNEXT Next\nINVARIANT Inv',
    )
    expect(text).toMatchInlineSnapshot(`
      "✗ Number.tla:6:1: expected TRUE or FALSE as the value of Inv, found 1
            6 | Inv == x + 1
              | ^^^

      The behaviour up to this point (after the first state, only changes):

      State 1: <Initial predicate>
      x = 0

      1 distinct state, 1 generated, depth 1, 1 in the queue (… s)"
    `)
    expect(status).toBe(1)
  })

  it('an assertion of the specification', async () => {
    const { status, text } = await checked(
      'Asserted',
      String.raw`EXTENDS Naturals, TLC
VARIABLE x
Init == x = 0
Next == Assert(x < 2, <<"x is", x>>) /\ x' = x + 1`,
      'INIT Init\nNEXT Next',
    )
    expect(text).toMatchInlineSnapshot(`
      "✗ Asserted.tla:5:9: the assertion is FALSE: <<"x is", 2>>
            5 | Next == Assert(x < 2, <<"x is", x>>) /\\ x' = x + 1
              |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          in Next (Asserted.tla:5:1)

      The behaviour up to this point (after the first state, only changes):

      State 1: <Initial predicate>
      x = 0

      State 2: <Next line 5, col 9 to line 5, col 50 of module Asserted>
      x = 1

      State 3: <Next line 5, col 9 to line 5, col 50 of module Asserted>
      x = 2

      3 distinct states, 3 generated, depth 3 (… s)"
    `)
    expect(status).toBe(1)
  })

  it('arithmetic beyond 32 bits', async () => {
    const { status, text } = await checked(
      'Overflow',
      `EXTENDS Naturals
VARIABLE x
Init == x = 1000000
Next == x' = x * 1000000`,
      'INIT Init\nNEXT Next',
    )
    expect(text).toMatchInlineSnapshot(`
      "✗ Overflow.tla:5:14: overflow in computing 1000000 * 1000000: integers go from -2147483648 to 2147483647, as TLC's do
            5 | Next == x' = x * 1000000
              |              ^^^^^^^^^^^
          in Next (Overflow.tla:5:1)

      The behaviour up to this point (after the first state, only changes):

      State 1: <Initial predicate>
      x = 1000000

      1 distinct state, 1 generated, depth 1 (… s)"
    `)
    expect(status).toBe(1)
  })

  it('a step property', async () => {
    const { status, text } = await checked(
      'Monotonic',
      `EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = (x + 1) % 3
Grows == [][x' > x]_x`,
      'INIT Init\nNEXT Next\nPROPERTY Grows',
    )
    expect(text).toMatchInlineSnapshot(`
      "✗ the property Grows is false in the last of these steps
        Monotonic.tla:6:13: this is false
            6 | Grows == [][x' > x]_x
              |             ^^^^^^
          x' = 0
          x  = 2

      The behaviour up to this point (after the first state, only changes):

      State 1: <Initial predicate>
      x = 0

      State 2: <Next line 5, col 9 to line 5, col 24 of module Monotonic>
      x = 1

      State 3: <Next line 5, col 9 to line 5, col 24 of module Monotonic>
      x = 2

      State 4: <Next line 5, col 9 to line 5, col 24 of module Monotonic>
      x = 0

      3 distinct states, 4 generated, depth 3 (… s)"
    `)
    expect(status).toBe(1)
  })

  it('no configuration', async () => {
    const { status, text } = await checked(
      'Unconfigured',
      String.raw`EXTENDS Naturals
CONSTANT Limit
VARIABLE x
TypeOK == x \in Nat
Init == x = 0
Next == x' = (x + 1) % Limit
Spec == Init /\ [][Next]_x`,
      undefined,
    )
    expect(text).toMatchInlineSnapshot(`
      "norn-tla: no configuration Unconfigured.cfg; name another file with --config, or write one:

          SPECIFICATION Spec
          CONSTANT Limit = 3
          INVARIANT TypeOK

      or pass options: --init Init --next Next --invariant TypeOK --constant Limit=3"
    `)
    expect(status).toBe(2)
  })

  it('no configuration of its name, but others', async () => {
    const configuration = 'INIT Init\n'
    const { call } = project({
      'Named.tla': '---- MODULE Named ----\n====\n',
      'NamedSmall.cfg': configuration,
      'Named2.cfg': configuration,
      'Other.cfg': configuration,
    })
    const { status, stderr } = await call('check', 'Named')
    expect(stderr).toContain('name another file with --config: Named2.cfg, NamedSmall.cfg\n')
    expect(status).toBe(2)
  })

  it('a configuration that says only how it begins', async () => {
    const { status, text } = await checked('Half', "VARIABLE x\nInit == x = 0\nNext == x' = x", 'INIT Init')
    expect(text).toBe(
      'norn-tla: Half.cfg: the configuration names no NEXT, the next-state relation: expected `SPECIFICATION Spec`, or `INIT Init` and `NEXT Next`',
    )
    expect(status).toBe(2)
  })

  it('infinite recursion', async () => {
    const { status, text } = await checked(
      'Endless',
      `EXTENDS Naturals
VARIABLE x
RECURSIVE Down(_)
Down(n) == IF n = 0 THEN 0 ELSE Down(n + 1)
Init == x = 0
Next == x' = Down(x + 1)`,
      'INIT Init\nNEXT Next',
    )
    // Of where it began: how deep it comes depends on the stack that Node gives.
    expect(text).toMatchInlineSnapshot(`
      "✗ Endless.tla:7:14: the evaluation of Down does not end, or is nested too deeply: check that its recursion has a base case
            7 | Next == x' = Down(x + 1)
              |              ^^^^^^^^^^^
          in Down with n = 1 (Endless.tla:7:14)
          in Next (Endless.tla:7:1)

      The behaviour up to this point (after the first state, only changes):

      State 1: <Initial predicate>
      x = 0

      1 distinct state, 1 generated, depth 1 (… s)"
    `)
    expect(status).toBe(1)
  })
})
