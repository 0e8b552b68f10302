// A Worker of a compatibility date at which there was no node:crypto.
import { FOR_WORKERS } from './backends.js'
import { testWith } from './handler.js'

export default testWith(FOR_WORKERS)
