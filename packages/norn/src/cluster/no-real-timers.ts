/**
 * While a cluster is simulated, nothing may set a real timer: it would run out when the simulation
 * is over, and what it was for would never have happened.
 */

/** Does something in which the timers of the language throw. */
export function withoutRealTimers<Result>(action: () => Result): Result {
  const { setTimeout, setInterval, setImmediate } = globalThis
  Object.assign(globalThis, REFUSED)
  try {
    return action()
  } finally {
    Object.assign(globalThis, { setTimeout, setInterval, setImmediate })
  }
}

const REFUSED = {
  setTimeout: () => refuse('setTimeout'),
  setInterval: () => refuse('setInterval'),
  setImmediate: () => refuse('setImmediate'),
}

function refuse(name: string): never {
  throw new Error(
    `${name} was called while a cluster is simulated, where no real time passes: a node sets timers by \`setTimer\` of its context`,
  )
}
