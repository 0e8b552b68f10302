import { textOf } from '../shim.js'
import { use } from './use.js'

document.querySelector('#result').textContent = await use().catch((error) => `FAILED ${textOf(error)}`)
