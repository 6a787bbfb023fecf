/**
 * The fidelity suite: norn's world shows exactly the behaviour that stock Node allows.
 */
import { count, defineParts, flag, ONLY, text } from '../suite.ts'

export const suite = defineParts({
  summary: 'orders that Node promises, orders that Node shows, and the tests of published packages in the world',
  options: {
    only: ONLY,
    suites: text(
      'suites',
      'DIR',
      "no-false-alarms, sharing: run the tests of the checkouts DIR/<package>/ (default: the project's own)",
    ),
    runs: count(
      'runs',
      'no-false-alarms, sharing: executions of each test (default: 200, with --smoke 5 and 60); node-tests: other schedules',
    ),
    generated: count('generated', 'run only the part generated, with N programs (default: 500, with --smoke 4)'),
    seed: count('seed', 'generated: the seed of the programs (default: 1); node-tests: that of another order'),
    tests: text(
      'tests',
      'DIR',
      "run only the part node-tests, with Node's tests in DIR, which holds parallel and common",
    ),
    stock: text(
      'stock',
      'FILE',
      'node-tests: keep in FILE what stock Node says of each test, and ask it only for those that FILE lacks',
    ),
    sockets: flag('sockets', 'generated: draw programs of clients and servers'),
    defects: flag('defects', 'generated: put known defects into norn, and find each within N programs (default: 200)'),
  },
  parts: {
    legality: {
      summary: 'no schedule breaks an order that Node promises; exits with 1 otherwise',
      load: () => import('./legality/main.ts'),
    },
    completeness: {
      summary: 'every order that stock Node shows is reached; exits with 1 otherwise',
      load: () => import('./completeness/main.ts'),
    },
    generated: {
      summary: 'generated programs show the same orders in the world as on stock Node; exits with 1 otherwise',
      load: () => import('./generated/main.ts'),
      chosenBy: ['generated', 'defects', 'sockets'],
    },
    arguments: {
      summary: 'functions of Node answer wrong arguments as on stock Node; exits with 1 otherwise',
      load: () => import('./arguments/main.ts'),
    },
    'no-false-alarms': {
      summary: 'tests of published packages pass in the world as on stock Node; exits with 1 otherwise',
      load: () => import('./no-false-alarms/main.ts'),
    },
    'node-tests': {
      summary: "Node's own tests pass in the world; exits with 1 otherwise",
      load: () => import('./node-tests/main.ts'),
      chosenBy: ['tests'],
    },
    sharing: {
      summary: 'the same tests do the same where executions share modules and where each evaluates its own',
      load: () => import('./sharing/main.ts'),
    },
  },
})
