/** What Jazzer.js calls: it loads CommonJS, and gives bytes. The bodies are those of bodies.ts, in JavaScript. */
const value = (data) => (data.length >= 4 ? data.readInt32LE(0) : 0)

module.exports.synchronous = (data) => {
  const number = value(data)
  if (!Number.isInteger(number)) throw new Error(`${number} is no whole number`)
}

module.exports.asynchronous = async (data) => {
  const number = await Promise.resolve(value(data))
  if (!Number.isInteger(number)) throw new Error(`${number} is no whole number`)
}
