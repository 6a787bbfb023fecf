import { fuzz } from 'norn'
import { exchange, name } from './express.ts'

fuzz(name, {}, exchange)
