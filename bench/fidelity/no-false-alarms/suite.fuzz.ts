// The tests of one file, whatever its framework, as properties. Who runs this says by aliases which file that is
// (`suite-under-test`) and which of the adapters takes the place of its framework.
import './adapters/working-directory.ts'
import './adapters/mocha-globals.ts'
import 'suite-under-test'
import { declareCollected } from './adapters/declare.ts'

declareCollected()
