/**
 * What is called in the middle of a simulation answers at once: it is synchronous, and nothing in
 * it waits. A function that gives a promise would be taken for one that found nothing wrong.
 */

/**
 * The answer, if it is one.
 *
 * @param what whose it is, for the error
 * @throws TypeError if it is a promise
 */
export function atOnce<Answer>(answer: Answer, what: () => string): Answer {
  if (typeof answer === 'object' && answer !== null && typeof (answer as { then?: unknown }).then === 'function') {
    // Whatever it comes to, this is what there is to tell.
    Promise.resolve(answer).catch(() => {})
    throw new TypeError(`${what()} gave a promise: it cannot wait, and must not be async`)
  }
  return answer
}
