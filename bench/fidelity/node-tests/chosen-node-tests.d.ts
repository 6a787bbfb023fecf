// An alias leads to this list (see node-tests.fuzz.ts).
declare module 'chosen-node-tests' {
  const tests: readonly { readonly name: string; readonly path: string }[]
  export default tests
}
