// What an application does: no argument, every backend that this bundle has.
import { explain, selectAead } from 'aeadkit'

const text = (value) => new TextEncoder().encode(value)

/** One line about it; anything unexpected throws. */
export async function use() {
  const pick = await selectAead()
  const sealer = await pick.createSealer(pick.generateKey())
  const box = await sealer.encrypt(text('hello'), text('greeting'))
  const opened = new TextDecoder().decode(await sealer.decrypt(box, text('greeting')))
  if (opened !== 'hello') throw new Error(`it opened to ${opened}`)
  box[box.length - 1] ^= 1
  const refused = await sealer.decrypt(box, text('greeting')).catch(({ code }) => code)
  if (refused !== 'auth-failed') throw new Error(`a changed box: ${refused}`)
  const lost = explain(pick).passedOver.flatMap((line) => {
    const [, name, reason] = /^backend (\S+): unavailable: (.+)$/.exec(line) ?? []
    return name === undefined ? [] : [`${name} is unavailable with the reason (${reason.split(':')[0]})`]
  })
  const told = lost.length === 0 ? '' : `; ${lost.join('; ')}`
  return `selectAead() gives ${pick.algorithm}, which seals and opens${told}`
}
