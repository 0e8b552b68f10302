import { type Backend, createAead } from '@aeadkit/core'
import { check, equalBytes, pattern, refused } from '../check.ts'
import { formsOf } from '../forms.ts'
import type { Subject } from '../suite.ts'
import { failingCalls, sealedForFailing } from './refusals.ts'

const LENGTHS: readonly number[] = [0, 1, 16, 22, 64, 65, 1350, 8193]
const AAD_LENGTHS: readonly number[] = [0, 13, 100]

/** The backend under test against one other. */
function peerCases(subject: Subject, peer: Backend): void {
  const { id, suite } = subject
  if (!peer.algorithms.includes(id)) return

  const absent = async (): Promise<boolean> => {
    const answer = await peer.probe(id)
    if (answer.available) return false
    suite.report.unavailablePeers.add(`${peer.name} / ${id}: ${answer.reason}`)
    return true
  }

  subject.test(`seals the same bytes as ${peer.name}, and each opens what the other sealed`, async () => {
    if (await absent()) return
    const ours = await subject.create()
    const theirs = await createAead(peer, id, subject.key(), { nonceCheck: false })
    let number = 0
    for (const length of LENGTHS) {
      for (const aadLength of AAD_LENGTHS) {
        if (!subject.takes(length, aadLength)) continue
        const what = `${length} bytes, ${aadLength} of AAD`
        const nonce = subject.nonce(number++)
        const plaintext = pattern(length, 3)
        const aad = pattern(aadLength, 5)
        const sealed = await theirs.seal(nonce, plaintext, aad)
        for (const form of formsOf(ours)) {
          equalBytes(
            await form.seal(nonce, plaintext, aad),
            sealed,
            `${form.name} seal against ${peer.name}, ${what}`,
          )
          equalBytes(
            await form.open(nonce, sealed, aad),
            plaintext,
            `${form.name} open of a message of ${peer.name}, ${what}`,
          )
        }
        const own = await ours.seal(nonce, plaintext, aad)
        equalBytes(await theirs.open(nonce, own, aad), plaintext, `open by ${peer.name}, ${what}`)
      }
    }
    ours.destroy()
    theirs.destroy()
  })

  subject.test(`fails with the same codes and authentication text as ${peer.name}`, async () => {
    if (await absent()) return
    const ours = await subject.create()
    const theirs = await createAead(peer, id, subject.key(), { nonceCheck: false })
    const sealed = await sealedForFailing(subject, ours)
    for (const { name, code, call } of failingCalls(subject, sealed)) {
      const own = await refused(() => call(ours), code, name)
      const other = await refused(() => call(theirs), code, `${name} on ${peer.name}`)
      if (code === 'auth-failed')
        check(own.message === other.message, `${name}: the texts of both backends differ`)
    }
    ours.destroy()
    theirs.destroy()
  })
}

/** Pairwise agreement with every peer. */
export function interopCases(subject: Subject): void {
  const { peers = [] } = subject.suite.options
  for (const peer of peers) if (peer.name !== subject.suite.backend.name) peerCases(subject, peer)
}
