// Each of Node's tests as a property; an alias names the list. What a test expects to be called it checks at exit.
import { createRequire } from 'node:module'
import tests from 'chosen-node-tests'
import { fuzz } from 'norn'

for (const { name, path } of tests)
  fuzz(name, {}, async () => {
    process.argv = [process.execPath, path]
    process.env.NODE_SKIP_FLAG_CHECK = '1'
    if (path.endsWith('.mjs')) await import(path)
    else createRequire(path)(path)
  })
