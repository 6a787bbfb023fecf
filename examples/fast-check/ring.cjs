/** A queue in an array of fixed length; `off` is the error of its bound on the number of elements. */
class Ring {
  #slots
  #first = 0
  #count = 0
  #limit

  constructor(length, off = 0) {
    this.#slots = new Array(length)
    this.#limit = length + off
  }

  get size() {
    return this.#count
  }

  add(value) {
    if (this.#count >= this.#limit) return false
    this.#slots[(this.#first + this.#count++) % this.#slots.length] = value
    return true
  }

  take() {
    if (this.#count === 0) return undefined
    const value = this.#slots[this.#first]
    this.#first = (this.#first + 1) % this.#slots.length
    this.#count--
    return value
  }
}

module.exports = { Ring }
