// A Worker of a compatibility date at which there was no node:crypto.
import { PORTABLE } from '../backends.js'
import { testWith } from './handler.js'

export default testWith(PORTABLE)
