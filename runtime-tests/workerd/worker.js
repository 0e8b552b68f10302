// A Worker in workerd's own test mode. Workers have a node:crypto now, so backend-node is tried as well.
import { nodeBackend } from '@aeadkit/backend-node'
import { FOR_WORKERS } from './backends.js'
import { testWith } from './handler.js'

export default testWith([{ name: 'node', load: async () => nodeBackend }, ...FOR_WORKERS])
