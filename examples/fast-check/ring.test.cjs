// The globals of jest, mocha or vitest.
const fc = require('fast-check')
const { Ring } = require('./ring.cjs')

const LENGTH = 3

class Add {
  constructor(value) {
    this.value = value
  }
  check = () => true
  run(model, ring) {
    const fits = model.length < LENGTH
    expect(ring.add(this.value)).toBe(fits)
    if (fits) model.push(this.value)
  }
  toString = () => `add(${this.value})`
}

class Take {
  check = (model) => model.length > 0
  run(model, ring) {
    expect(ring.take()).toBe(model.shift())
  }
  toString = () => 'take()'
}

const commands = fc.commands([fc.nat(9).map((value) => new Add(value)), fc.constant(new Take())], { maxCommands: 30 })

describe('a ring', () => {
  let made = 0
  afterEach(() => {
    made++
  })

  it('behaves as a queue of three', () => {
    expect(made).toBe(0)
    fc.assert(fc.property(commands, (commands) => fc.modelRun(() => ({ model: [], real: new Ring(LENGTH) }), commands)))
  })

  it('that takes one too many behaves as a queue of three', () => {
    fc.assert(
      fc.property(commands, (commands) => fc.modelRun(() => ({ model: [], real: new Ring(LENGTH, 1) }), commands)),
    )
  })
})
