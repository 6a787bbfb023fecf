/** What natives do besides giving values: printing, registers, files, random choices. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { TlaError } from '../../src/error/error.ts'
import { evaluate } from './evaluate.ts'

const folder = mkdtempSync(join(tmpdir(), 'norn-library-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A path as a string of TLA+. */
function path(name: string): string {
  return `"${join(folder, name)}"`
}

test('Print and PrintT print values as TLA+ writes them', () => {
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  expect(evaluate('TLC', 'Print("a", 1 :> 2)', { print })).toBe('<<2>>')
  expect(evaluate('TLC', 'PrintT({"b"})', { print })).toBe('TRUE')
  expect(lines).toEqual(['"a"  <<2>>', '{"b"}'])
})

test('long values are printed over several lines', () => {
  const lines: string[] = []
  expect(evaluate('TLC, Naturals', 'PrintT([i \\in 1..40 |-> i])', { print: (text) => void lines.push(text) })).toBe(
    'TRUE',
  )
  expect(lines[0]).toMatch(/^<< 1,\n {3}2,\n[\s\S]*\n {3}40 >>$/)
})

test('a set is listed to be printed', () => {
  expect(evaluate('TLC, SequencesExt', 'ToString(SeqOf({1}, 2))')).toBe('"{<<>>, <<1>>, <<1, 1>>}"')
})

describe('an element that fails does so where its function or set is an operand with an effect', () => {
  const failing = '[n \\in 1..3 |-> 1 \\div 0]'
  test.each([
    `PrintT(${failing})`,
    `PrintT(<<1, ${failing}>>)`,
    `PrintT([a |-> ${failing}])`,
    `PrintT([${failing} EXCEPT ![1] = 1])`,
    `PrintT({s \\in SUBSET (1..2) : 1 \\div 0 = 1})`,
    `Print(${failing}, TRUE)`,
    `Print("a", ${failing})`,
    `ToString(${failing})`,
    `Assert(TRUE, ${failing})`,
    `Assert(FALSE, ${failing})`,
    `TLCSet(1, ${failing})`,
    `TLCGetAndSet(1, LAMBDA a, b : b, ${failing}, 0)`,
    `Serialize(${failing}, "a.txt", [format |-> "NDJSON", charset |-> "UTF-8", openOptions |-> <<"CREATE">>])`,
  ])('%s', (expression) => {
    const lines: string[] = []
    const print = (line: string) => void lines.push(line)
    const modules = 'TLC, TLCExt, IOUtils, Integers, FiniteSets'
    expect(() => evaluate(modules, expression, { print })).toThrow('division by zero: 1 \\div 0')
    expect(lines).toEqual([])
  })

  test('what is infinite is described', () => {
    const lines: string[] = []
    const print = (line: string) => void lines.push(line)
    const all = ['Nat', '<<1, Nat>>', '[n \\in Nat |-> 1 \\div 0]', 'SUBSET Nat']
    for (const each of all) expect(evaluate('TLC, Integers', `PrintT(${each})`, { print })).toBe('TRUE')
    expect(lines).toEqual(['Nat', '<<1, Nat>>', '[x \\in Nat |-> ...]', 'SUBSET Nat'])
    expect(() => evaluate('TLC, Integers', 'Assert(FALSE, {n \\in Nat : 1 \\div 0 = 1})')).toThrow(
      'the assertion is FALSE',
    )
    expect(evaluate('TLC, Integers', 'TLCSet(1, {n \\in Nat : n > 3}) /\\ 4 \\in TLCGet(1)')).toBe('TRUE')
  })
})

test('AssertEq prints both values if they differ', () => {
  const lines: string[] = []
  expect(evaluate('TLCExt', 'AssertEq(1, 2)', { print: (line) => void lines.push(line) })).toBe('FALSE')
  expect(lines).toEqual(['"Assertion failed"', '1', '2'])
})

test('AssertError holds if evaluation fails', () => {
  expect(evaluate('TLCExt, Naturals', 'AssertError("any", 1 \\div 0)')).toBe('TRUE')
  expect(evaluate('TLCExt, Naturals', 'AssertError("any", 1 \\div 1)')).toBe('FALSE')
})

test('registers keep what they are given, each for itself', () => {
  const changes = 'TLCSet(1, "a") /\\ TLCSet("s:b", {2}) /\\ TLCSet(1, <<TLCGet(1)>>)'
  expect(evaluate('TLC', `IF ${changes} THEN <<TLCGet(1), TLCGet("s:b")>> ELSE 0`)).toBe('<<<<"a">>, {2}>>')
  const all = 'IF TLCSet(3, 4) /\\ TLCSet("s:x", 5) THEN <<TLCGet("all"), TLCGet("all:named")>> ELSE 0'
  expect(evaluate('TLC', all)).toBe('<<(3 :> <<4>>), ("s:x" :> <<5>>)>>')
  const counted = 'TLCGetAndSet(7, LAMBDA a, b : a + b, 2, 10)'
  expect(evaluate('TLC, TLCExt, Naturals', `<<${counted}, ${counted}, TLCGet(7)>>`)).toBe('<<10, 12, 14>>')
})

test('properties of Java are registers, some of which are set', () => {
  expect(evaluate('TLC', 'TLCGet("-Dtlc2.tool.impl.Tool.cdot")')).toBe('"true"')
  expect(evaluate('TLC', 'TLCGet("-Dunknown")')).toBe('"-Dunknown"')
  expect(evaluate('TLC', 'TLCSet("-Dmine", 3) /\\ TLCGet("-Dmine") = "3"')).toBe('TRUE')
})

test('a specification can ask how it is run, and by whom', () => {
  expect(evaluate('TLC', 'TLCGet("config")')).toBe(
    '[deadlock |-> TRUE, fingerprint |-> "", install |-> "", mode |-> "bfs", seed |-> "0", worker |-> 1]',
  )
  expect(evaluate('TLC, Naturals', 'TLCGet("revision").timestamp >= 1663720820')).toBe('TRUE')
  expect(evaluate('TLC', 'DOMAIN TLCGet("stats")')).toBe(
    '{"diameter", "distinct", "duration", "generated", "initial", "queue", "worker"}',
  )
})

test('random choices come from the seed', () => {
  const drawn = (seed: number) =>
    evaluate(
      'TLC, Integers, Randomization',
      '<<[i \\in 1..5 |-> RandomElement(1..1000000)], RandomSubset(3, 1..50)>>',
      {
        seed,
      },
    )
  expect(drawn(1)).toBe(drawn(1))
  expect(drawn(1)).not.toBe(drawn(2))
})

test.each([
  ['RandomElement([1..40 -> 1..9])', 'LET f == value IN DOMAIN f = 1..40'],
  ['RandomElement(SUBSET (1..200))', 'value \\subseteq 1..200'],
  ['RandomElement([a : 1..2000000, b : SUBSET (1..30)])', 'value.a \\in 1..2000000 /\\ value.b \\subseteq 1..30'],
  ['RandomElement((1..2000000) \\X {7})', 'value[2] = 7'],
  ['RandomSubset(5, [1..40 -> 1..9])', 'Cardinality(value) = 5'],
  ['RandomSubset(3, 1..2000000)', 'Cardinality(value) = 3 /\\ value \\subseteq 1..2000000'],
  ['RandomSetOfSubsets(20, 3, 1..10)', 'Cardinality(value) \\in 1..20'],
  ['TestRandomSetOfSubsets(8, 2, 1..4)', 'Len(value) = 5'],
])('%s is drawn without listing the set', (drawn, holds) => {
  const modules = 'TLC, Integers, Randomization, FiniteSets, Sequences'
  expect(evaluate(modules, `LET value == TLCEval(${drawn}) IN ${holds}`)).toBe('TRUE')
})

test('JSON goes out and comes back', () => {
  const file = path('deep/value.json')
  const value = '[name |-> "a", list |-> <<1, TRUE, <<>>>>, inner |-> [x |-> -5]]'
  expect(evaluate('Json, Integers', `JsonSerialize(${file}, ${value})`)).toBe('TRUE')
  expect(readFileSync(join(folder, 'deep/value.json'), 'utf8')).toBe('{"inner":{"x":-5},"list":[1,true,[]],"name":"a"}')
  expect(evaluate('Json, Integers', `JsonDeserialize(${file}) = ${value}`)).toBe('TRUE')
  expect(evaluate('Json', `ndJsonSerialize(${path('lines.ndjson')}, <<[a |-> 1], {2, 3}>>)`)).toBe('TRUE')
  expect(readFileSync(join(folder, 'lines.ndjson'), 'utf8')).toBe('{"a":1}\n[2,3]\n')
  expect(evaluate('Json', `ndJsonDeserialize(${path('lines.ndjson')})`)).toBe('<<[a |-> 1], <<2, 3>>>>')
})

test.each([
  // Without a fraction, as TLC reads it.
  ['1.5', '1'],
  ['-1712329729.6024537', '-1712329729'],
  ['-0.5', '0'],
  // Of what needs more than 32 bits TLC keeps the last 32.
  ['3000000000', '"3000000000"'],
  ['1712329729602453700', '"1712329729602453700"'],
  ['1e400', '"1e400"'],
])('the number %s of JSON is %s', (text, value) => {
  writeFileSync(join(folder, 'number.json'), `[{"at": ${text}}]`)
  expect(evaluate('Json', `JsonDeserialize(${path('number.json')})[1].at`)).toBe(value)
})

test.each([
  ['{"a": 1', 'is not JSON'],
  ['[null]', 'holds null, which has no counterpart in TLA+'],
  ['['.repeat(1000) + ']'.repeat(1000), 'nests more than 500 arrays and objects'],
])('JSON that TLA+ has no value for is refused: %.20s', (text, reason) => {
  writeFileSync(join(folder, 'wrong.ndjson'), `\n${text}\n`)
  const read = () => evaluate('Json', `ndJsonDeserialize(${path('wrong.ndjson')})`)
  expect(read).toThrow(`line 2 of the file ${join(folder, 'wrong.ndjson')}`)
  expect(read).toThrow(reason)
})

test('a file that is not there is named', () => {
  expect(() => evaluate('Json', `JsonDeserialize(${path('none.json')})`)).toThrow(
    `cannot read the file ${join(folder, 'none.json')}: there is no such file or folder`,
  )
})

test('lines of values are appended, counted and read', () => {
  const file = path('table.csv')
  expect(evaluate('CSV', `CSVRecords(${file})`)).toBe('0')
  expect(evaluate('CSV', `CSVRead(<<"x">>, ";", ${file})`)).toBe('<<>>')
  expect(evaluate('CSV', `CSVWrite("%2$s;%1$s;%%", <<1, "a">>, ${file})`)).toBe('TRUE')
  expect(evaluate('CSV', `CSVWriteRecord([q |-> 7, p |-> {1}], ";", TRUE, ${file})`)).toBe('TRUE')
  expect(readFileSync(join(folder, 'table.csv'), 'utf8')).toBe('"a";1;%\np;q\n{1};7\n')
  expect(evaluate('CSV', `CSVRecords(${file})`)).toBe('3')
  expect(evaluate('CSV, Sequences', `CSVRead(<<"x", "y">>, ";", ${file})[3]`)).toBe('[x |-> "{1}", y |-> "7"]')
  expect(() => evaluate('CSV', `CSVWrite("%1$s %2$s", <<1>>, ${file})`)).toThrow('has no value for %2$s: 1 given')
  expect(() => evaluate('CSV', `CSVWrite("%d", <<1>>, ${file})`)).toThrow('has an unknown conversion: use %s')
})

test('what goes wrong with a file is an outcome of Serialize and Deserialize', () => {
  const options = (open: string) => `[format |-> "TXT", charset |-> "UTF-8", openOptions |-> <<${open}>>]`
  const write = (text: string, open: string) =>
    evaluate('IOUtils', `Serialize("${text}", ${path('t')}, ${options(open)}).exitValue`)
  const read = () => evaluate('IOUtils', `Deserialize(${path('t')}, ${options('')})`)
  expect(read()).toBe(
    `[exitValue |-> 1, stderr |-> "cannot read the file ${join(folder, 't')}: there is no such file or folder", stdout |-> ""]`,
  )
  expect(write('abc', '"WRITE"')).toBe('1')
  expect(write('abc', '"WRITE", "CREATE"')).toBe('0')
  expect(write('x', '"WRITE", "APPEND"')).toBe('0')
  expect(write('y', '"WRITE"')).toBe('0')
  expect(read()).toBe('[exitValue |-> 0, stderr |-> "", stdout |-> "ybcx"]')
  expect(write('z', '"WRITE", "TRUNCATE_EXISTING"')).toBe('0')
  expect(write('z', '"WRITE", "CREATE_NEW"')).toBe('1')
  expect(read()).toBe('[exitValue |-> 0, stderr |-> "", stdout |-> "z"]')
})

test.each([
  ['IOExec(<<"ls">>)', 'is not supported, as norn runs no programs'],
  ['IOEnvExecTemplate([a |-> "b"], <<"ls">>, <<>>)', 'is not supported, as norn runs no programs'],
  ['IOSerialize(1, "f", FALSE)', 'use the module Json'],
  ['SVG!NodesOfDirectedMultiGraph({1}, {}, [a |-> 1])', 'norn has no graph layout'],
  ['TLCExt!TLCEvalDefinition("X")', 'refer to the definition by its name'],
  ['TLCExt!Trace', 'the path to the current state is not recorded'],
  ['Toolbox!_TEPosition', 'no counterexample is explored'],
])('%s is refused with what to do', (expression, reason) => {
  const instances = ['SVG', 'TLCExt', 'Toolbox'].map((name) => `${name} == INSTANCE ${name}`).join('\n')
  const run = () => evaluate('IOUtils', expression, { definitions: instances })
  expect(run).toThrow(TlaError)
  expect(run).toThrow(reason)
})

test.each([
  ['Permutations(1..11)', 'a set of 11 elements has too many permutations'],
  ['SetToSeqs(1..11)', 'a set of 11 elements has too many permutations'],
  ['AllSubSeqs([i \\in 1..21 |-> i])', 'a sequence of 21 elements has too many subsequences'],
  ['SubSeqs([i \\in 1..1001 |-> i])', 'a sequence of 1001 elements has too many subsequences'],
  ['kSubset(20, 1..40) = {}', 'more than 1048576 elements'],
  ['CSVWrite("%99999s", <<1>>, "none.csv")', 'has a place wider than 10000'],
  ['FoldSet(LAMBDA x, y : x, 0, Nat)', 'attempted to enumerate the infinite set Nat'],
])('%s has a bound', (expression, reason) => {
  expect(() => evaluate('Integers, SequencesExt, TLC, CSV', expression)).toThrow(reason)
})

test('the environment is a record of strings', () => {
  process.env.NORN_LIBRARY_TEST = 'set'
  try {
    expect(evaluate('IOUtils', 'IOEnv.NORN_LIBRARY_TEST')).toBe('"set"')
    expect(evaluate('IOUtils', '"NORN_LIBRARY_UNSET" \\in DOMAIN IOEnv')).toBe('FALSE')
  } finally {
    delete process.env.NORN_LIBRARY_TEST
  }
})

test('without a counterexample there are no states and no steps', () => {
  expect(evaluate('TLCExt', 'CounterExample')).toBe('[action |-> {}, state |-> {}]')
  expect(evaluate('TLCExt', 'ToTrace([state |-> {<<2, "b">>, <<1, "a">>}, action |-> {}])')).toBe('<<"a", "b">>')
})
