/** The group that the tests of the file under way are declared into; a fresh one for each instance of the modules. */
import { Group } from './group.ts'

export const root = new Group('')
