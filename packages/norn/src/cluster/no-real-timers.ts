/** Runs an action in which Node's timers throw: they would fire after the simulation is over. */
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
    `${name} was called inside a cluster, where no real time passes: use \`setTimer\` of the node context`,
  )
}
