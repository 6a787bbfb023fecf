/** The group of the current file's tests: a fresh one for each instance of the modules. */
import { Group } from './group.ts'

export const root = new Group('')
