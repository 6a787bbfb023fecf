// Which file this is an alias says (see suite.fuzz.ts); it is imported for what it declares.
declare module 'suite-under-test'
