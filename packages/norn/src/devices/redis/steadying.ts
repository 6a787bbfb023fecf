/**
 * Answers of Redis that tell of its process, as each execution gets them: the numbers of connections count within an
 * execution, and what a server has used or done so far is 0.
 */

/** Makes an answer to a session. */
export type Steadying = (answer: Buffer, session: number) => Buffer

export const asIs: Steadying = (answer) => answer

export function steadying(verb: string, second: Buffer | undefined): Steadying {
  if (verb === 'hello') return withOwnId
  if (verb === 'info') return info
  if (verb === 'client' && second?.toString('latin1').toLowerCase() === 'id')
    return (answer, session) => (answer[0] === 58 ? Buffer.from(`:${session}\r\n`) : answer)
  return asIs
}

function withOwnId(answer: Buffer, session: number): Buffer {
  return Buffer.from(answer.toString('latin1').replace(/(\r\n\$2\r\nid\r\n:)\d+/, `$1${session}`), 'latin1')
}

/** What does not change by itself. */
const KEPT =
  /^(?:redis_version|redis_mode|os|arch_bits|multiplexing_api|loading|async_loading|role|connected_slaves|cluster_enabled|maxmemory_policy|db\d+|#.*)$/

function info(answer: Buffer): Buffer {
  const [, type, prefix = '', body] = /^([$=])\d+\r\n(txt:)?([\s\S]*)\r\n$/.exec(answer.toString('latin1')) ?? []
  if (body === undefined) return answer
  const lines = body.split('\r\n').map((line) => {
    const [key = '', ...value] = line.split(':')
    return value.length === 0 || KEPT.test(key) ? line : `${key}:0`
  })
  const text = prefix + lines.join('\r\n')
  return Buffer.from(`${type}${Buffer.byteLength(text, 'latin1')}\r\n${text}\r\n`, 'latin1')
}
