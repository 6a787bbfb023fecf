import { fuzz } from 'norn'
import { exchange, name } from './ws.ts'

fuzz(name, {}, exchange)
