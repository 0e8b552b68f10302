import { use } from './use.js'

export default {
  async test() {
    console.log(`bundled: ${await use()}`)
  },
}
