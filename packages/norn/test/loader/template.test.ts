/** A rewritten text is its template with the holes filled. */
import { expect, test } from 'vitest'
import { filled, markHoles, templateOf } from '../../src/loader/template.ts'

const STEM = '_norn_'
const mark = markHoles(STEM)

test('what is marked is filled', () => {
  const template = templateOf(`${mark(0)}+${mark(12)}(${mark(-3)},${mark(0)});`, STEM)
  expect(template.holes).toEqual([0, 12, -3, 0])
  expect(filled(template, (hole) => `<${hole}>`)).toBe('<0>+<12>(<-3>,<0>);')
})

test('other names with the prefix are no holes', () => {
  const text = `function ${STEM}define(){${STEM}0.$x();${STEM}g12[3]++}`
  expect(filled(templateOf(text, STEM), () => 'x')).toBe(text)
})
