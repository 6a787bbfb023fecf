/** As much of AMQP 0-9-1 as a broker needs whose queues nobody reads. */

/** Class and method, as one number. */
type Method = number
const method = (classId: number, id: number): Method => (classId << 16) | id

const START = Buffer.from([0, 9, 0, 0, 0, 0, ...longText('PLAIN'), ...longText('en_US')])
const TUNE = Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])
const PUBLISH = method(60, 40)

/** What a client sends, and what it is answered, on which channel. */
const ANSWERS: ReadonlyMap<Method, readonly (readonly [channel: number, Method, Buffer])[]> = new Map([
  [0, [[0, method(10, 10), START]]],
  [method(10, 11), [[0, method(10, 30), TUNE]]],
  [method(10, 40), [[0, method(10, 41), Buffer.from([0])]]],
  [method(10, 50), [[0, method(10, 51), Buffer.alloc(0)]]],
  [method(20, 10), [[1, method(20, 11), Buffer.alloc(4)]]],
  [method(85, 10), [[1, method(85, 11), Buffer.alloc(0)]]],
] as const)

export function answers(sent: Method): Buffer[] {
  return (ANSWERS.get(sent) ?? []).map((each) => frame(...each))
}

export function isPublished(sent: Method): boolean {
  return sent === PUBLISH
}

export function confirmation(tag: number): Buffer {
  return frame(1, method(60, 80), Buffer.from([0, 0, 0, 0, 0, 0, 0, tag, 0]))
}

export function channelClosed(): Buffer {
  return frame(1, method(20, 40), Buffer.from([1, 0x94, 0, 0, 0, 0, 0]))
}

/** A listener for data: each method that comes in whole, and 0 for the greeting before the first. */
export function methodsOf(onMethod: (sent: Method) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  let isGreeted = false
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    if (!isGreeted && rest.length >= 8) {
      isGreeted = true
      rest = rest.subarray(8)
      onMethod(0)
    }
    while (isGreeted && rest.length >= 7) {
      const length = 8 + rest.readUInt32BE(3)
      if (rest.length < length) return
      const [type, sent] = [rest[0], rest.readUInt32BE(7)]
      rest = rest.subarray(length)
      if (type === 1) onMethod(sent)
    }
  }
}

function frame(channel: number, sent: Method, parameters: Buffer): Buffer {
  const head = Buffer.alloc(11)
  head.writeUInt8(1)
  head.writeUInt16BE(channel, 1)
  head.writeUInt32BE(4 + parameters.length, 3)
  head.writeUInt32BE(sent, 7)
  return Buffer.concat([head, parameters, Buffer.from([0xce])])
}

function longText(text: string): number[] {
  return [0, 0, 0, text.length, ...Buffer.from(text)]
}
