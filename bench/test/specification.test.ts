/** The language of isolation specifications, and how results are printed. */
import { describe, expect, it } from 'vitest'
import { resultText } from '../databases/printed.ts'
import { parseSpecification } from '../databases/specification.ts'

describe('a specification', () => {
  it('has setups, sessions and permutations with blockers', () => {
    const { setups, teardown, sessions, permutations } = parseSpecification(`
      # a comment { no block }
      setup {create table a ();  } setup{
 insert;
}
      teardown { drop; }
      session s1 setup { begin; } step "a ""b" { select 1; } step c {} teardown { end; }
      session "session" step d { x }
      permutation "a ""b" (*, d, d notices 2) c d
      permutation d`)
    expect(setups).toEqual(['create table a ();', '\n insert;\n'])
    expect(teardown).toBe('drop;')
    expect(sessions.map(({ name, setup, teardown }) => [name, setup, teardown])).toEqual([
      ['s1', 'begin;', 'end;'],
      ['session', undefined, undefined],
    ])
    const d = { name: 'd', sql: 'x', session: 1 }
    expect(permutations).toEqual([
      [
        {
          step: { name: 'a "b', sql: 'select 1;', session: 0 },
          blockers: [{ kind: 'once' }, { kind: 'step', step: d }, { kind: 'notices', step: d, count: 2 }],
        },
        { step: { name: 'c', sql: '', session: 0 }, blockers: [] },
        { step: d, blockers: [] },
      ],
      [{ step: d, blockers: [] }],
    ])
  })

  it('without permutations has all orders of its sessions', () => {
    const { permutations } = parseSpecification('session s step a {} step b {} session t step c {}')
    const names = permutations.map((steps) => steps.map(({ step }) => step.name).join(' '))
    expect(names).toEqual(['a b c', 'a c b', 'c a b'])
  })

  it.each(['session s step a', 'session s step a {} permutation b', 'session s step a { x', 'session s step a {} !'])(
    'is refused: %s',
    (text) => {
      expect(() => parseSpecification(text)).toThrow(SyntaxError)
    },
  )
})

describe('a result', () => {
  it('has numbers at the right and all else at the left', () => {
    const rows = [
      ['1', 'a', '', '1e', '-1.5E7', '2026-01-01'],
      ['22', '', '', '2', '3', '-'],
    ]
    expect(resultText({ names: ['number', 't', 'empty', 'e', 'f', 'date'], rows }).split('\n')).toEqual([
      'number|t|empty|e |     f|date      ',
      '------+-+-----+--+------+----------',
      '     1|a|     |1e|-1.5E7|2026-01-01',
      '    22| |     |2 |     3|-         ',
      '(2 rows)',
      '',
      '',
    ])
  })

  it('without columns is not printed', () => {
    expect(resultText({ names: [], rows: [[], []] })).toBe('')
  })
})
