/** What a session of the speed of databases sends. */

export const STATEMENTS = [
  'UPDATE test SET value = value + 1 WHERE id = $1',
  'SELECT value FROM test WHERE id = $1',
  'UPDATE test SET value = value - 1 WHERE id = $1',
] as const

export const MARIADB_STATEMENTS = STATEMENTS.map((each) => each.replace('$1', '?'))

export const COMMANDS = ['INCR', 'GET', 'DECR'] as const
