// An alias names this file (see suite.fuzz.ts); it is imported for its declarations.
declare module 'suite-under-test'
