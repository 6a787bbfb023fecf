/**
 * Messages of norn that were reworded, and the shapes they had first. Fingerprints keep the first
 * shape, so a failure saved by an older norn is still the same failure. A pattern must not match
 * messages of users, whose fingerprints would change.
 */
export const REWORDINGS: readonly (readonly [now: RegExp, first: string])[] = [
  [/^a value that is not an Error was thrown: /, 'something that is no Error was thrown: '],
  [/: still false after # events \(# ms\) without faults$/, ': not within # events of a calm world, which took # ms'],
  [/: still false after # ms without faults$/, ': not within # ms of a calm world'],
  [
    /: still false after # ms without faults, when no event is left$/,
    ': never, as nothing is left to happen # ms into a calm world',
  ],
  [/: still false, and no event is left\b/, ': never, as nothing is left to happen'],
  [/^no message of the scenario matched$/, 'of the messages of this scenario none was picked by'],
  [/^the factory of actor '…'/, "what makes the actor '…'"],
  [/ returned (.*): it must return an object of handlers$/, ' gave $1: it must give an object of handlers'],
  [/ returned a promise: it must be synchronous$/, ' gave a promise: it cannot wait, and must not be async'],
  [
    / returned (.*): it must return { state, effects } \(both optional\)$/,
    ' gave $1: it must give { state, effects }, where either may be missing',
  ],
  [/ returned (.*): it must return a system, such as `…`$/, ' gave $1: it must give a system at once, as `…` does'],
  [/ generated (.*): it must generate an array$/, ' made $1: it must make an array'],
  [
    / of the system has no name: it must be a non-empty string$/,
    ' of the system has no name: it must be a text that is not empty',
  ],
  [/^the result of (.*) is not plain data: /, 'what $1 gave is no plain data: '],
  [/ is not plain data: /, ' is no plain data: '],
  [/ is not a node: the nodes are /, ' is no node: the nodes are '],
  [
    / was called inside a cluster, where no real time passes: use `…` of the node context$/,
    ' was called while a cluster is simulated, where no real time passes: a node sets timers by `…` of its context',
  ],
  [
    / acts outside of its handlers: to act later, set a timer$/,
    ' acts while nothing happens to it: it may only act inside a handler; for what is to come later it sets a timer',
  ],
  [
    / returned (.*): an action must return a state \(a plain object\), an array of states, or (.*)$/,
    ' gave $1: an action gives the next state (a plain object), a list of them, or $2',
  ],
  [
    / changes its arguments: it must return a new state: /,
    ' changes its arguments: it must leave them as they are and give a new state: ',
  ],
  [
    /^the model may be in # states after (.*), more than #: .*$/,
    'the model leaves # states open after $1, more than #: give its actions what decides between them as a parameter',
  ],
  [/^(the model's invariant is broken .*): it returned false$/, '$1: it gave false'],
  [
    / of the model returned (.*): it must return `…`, an array of these, or undefined$/,
    ' of the model gave $1: it must give `…`, a list of such, or undefined for what the model knows nothing of',
  ],
  [/\(option maxLineBytes\)$/, '(option maxLine)'],
  [/^(the answer to .* wrong shape): it is not JSON$/, '$1: it is no JSON'],
  [/^(the answer to .* wrong shape: .*): expected a string, /, '$1: expected a text, '],
  [/^(the answer to .* wrong shape: .*) appears twice$/, '$1 stands there twice'],
  [/: not allowed in the answer to "…", .*$/, ': at "…" no node does anything; only "…" may be said'],
  [/ \(option answerMs\), and was killed$/, ' (option answerMs), and was ended'],
  [/ replies to request #, which was never made$/, ' answers request #, which nobody has made'],
  [/ reports an event without a name: .*$/, ' says that something happened, but not what: an event has a name'],
  [
    /^(more than #) log entries in one execution: .*$/,
    '$1 things happened in one execution: nodes that answer each other without end, or too many steps; lower `…`, or `…` of `…`',
  ],
  [
    / messages in flight: the nodes send more messages than they receive, without end$/,
    ' messages are under way at once: nodes that send more than they are sent, without end',
  ],
]
