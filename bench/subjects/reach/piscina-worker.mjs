/** The square of a number. */
export default (number) => number ** 2
