/**
 * Loaded before a test (`node --require`): delays asynchronous operations by up to 5 ms each, as FlakeMonster inserts
 * delays in a program. Operations keep the order that Node promises: the data of one connection stays in order.
 */
const dns = require('node:dns')
const fs = require('node:fs')
const net = require('node:net')

const MOST_MS = 5
const { setTimeout: later } = globalThis
const drawn = () => Math.random() * MOST_MS
const pause = () => new Promise((resolve) => later(resolve, drawn()))

/** The callback, which comes last, runs later. */
function withLateCallback(original) {
  const late = function (...args) {
    const callback = args.at(-1)
    if (typeof callback === 'function') args[args.length - 1] = (...given) => later(callback, drawn(), ...given)
    return Reflect.apply(original, this, args)
  }
  return Object.defineProperties(late, Object.getOwnPropertyDescriptors(original))
}

dns.lookup = withLateCallback(dns.lookup)
for (const name of Object.keys(fs)) {
  const isAsynchronous = typeof fs[name] === 'function' && typeof fs[`${name}Sync`] === 'function'
  if (isAsynchronous) fs[name] = withLateCallback(fs[name])
}
for (const [name, original] of Object.entries(fs.promises)) {
  if (typeof original !== 'function') continue
  fs.promises[name] = async (...args) => {
    await pause()
    return original.apply(fs.promises, args)
  }
}

globalThis.setTimeout = Object.assign((action, ms = 0, ...args) => later(action, Number(ms) + drawn(), ...args), later)
const { setImmediate: soon } = globalThis
globalThis.setImmediate = Object.assign((action, ...args) => soon(() => soon(() => action(...args))), soon)

/** Chunks and the end of a connection arrive later, one behind the other. */
const { push } = net.Socket.prototype
const arriving = new WeakMap()
net.Socket.prototype.push = function (chunk, encoding) {
  const before = arriving.get(this) ?? Promise.resolve()
  arriving.set(
    this,
    before.then(pause).then(() => {
      if (!this.destroyed) push.call(this, chunk, encoding)
    }),
  )
  return true
}
