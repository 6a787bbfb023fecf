// The tests of one file as properties. Aliases name the file (`suite-under-test`) and the adapter
// for its framework.
import './adapters/working-directory.ts'
import './adapters/mocha-globals.ts'
import 'suite-under-test'
import { declareCollected } from './adapters/declare.ts'

declareCollected()
