/** Runs one program once from the main script, and prints its order. CommonJS: an ES module runs in a promise. */
const { inFolders } = require('../stock.ts') as typeof import('../stock.ts')
const { run } = require('./program.ts') as typeof import('./program.ts')

// From here on threads are held up (hold-up.c).
process.umask(process.umask())
inFolders()((at: (name: string) => string) => run(JSON.parse(process.argv[2]!).program, at)).then((order: string) => {
  process.stdout.write(JSON.stringify({ [order]: 1 }))
})
