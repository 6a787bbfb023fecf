import { expect, test } from 'vitest'
import { checkOptions } from '../../src/property/check-options.ts'

test('a stand-in is a function or null', () => {
  expect(() => checkOptions('p', { commands: { git: () => 'main', svn: null } })).not.toThrow()
})

const AT = "fuzz('p'): option commands"

test.each<[unknown, string]>([
  ['git', `${AT} must be an object: 'git'. Write an object such as { git: (args, stdin) => 'main' }`],
  [[], `${AT} must be an object: an array. Write an object such as { git: (args, stdin) => 'main' }`],
  [null, `${AT} must be an object: null. Write an object such as { git: (args, stdin) => 'main' }`],
  [{ git: 'main' }, `${AT}['git'] must be a function, or null for a program that is not installed: 'main'`],
])('an invalid option is refused where it is made: %j', (commands, message) => {
  expect(() => checkOptions('p', { commands })).toThrow(new TypeError(message))
})
