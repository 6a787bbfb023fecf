/** The name of the property that runs all tests of a file one after the other. */
export const WHOLE_FILE = 'the whole file'
