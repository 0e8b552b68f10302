/** Makes the report that {@link judgeFips} judges, in the process it is about, from the functions of the caller. */
import type { FipsOption, FipsOutcome, FipsReport } from './matrix.ts'

type Bytes = Uint8Array<ArrayBuffer>

interface Sealer {
  encrypt(plaintext: Bytes): Promise<Bytes>
  decrypt(box: Bytes): Promise<Bytes>
}

interface Aead {
  readonly guarantees: { readonly constantTime: { readonly level: string } }
  seal(nonce: Bytes, plaintext: Bytes): Promise<Bytes>
  open(nonce: Bytes, sealed: Bytes): Promise<Bytes>
}

interface Selection {
  readonly algorithm: string
  readonly backend: string | { readonly small: string; readonly large: string }
  readonly params: { readonly keyBytes: number; readonly nonceBytes: number }
  readonly limits: { readonly messages: bigint | null }
  readonly duties: readonly string[]
  readonly inputs: { readonly fips: string }
  readonly evidence: { readonly fips: { readonly certificate: string | null } }
  generateKey(): unknown
  createSealer(key: unknown, options?: object): Promise<Sealer>
  createAead(key: Bytes): Promise<Aead>
}

interface Evidence {
  readonly runtime: string
  readonly runtimeVersion: string
  readonly fips: { readonly state: string; readonly certificate: string | null; readonly reason: string }
}

/** What is tested: the functions of the selector, over the backends of this runtime. */
export interface FipsKit {
  selectAead(options: object): Promise<unknown>
  collectEvidence(options: object): Promise<Evidence>
  restoreSelection(json: string, options: object): Promise<unknown>
}

/** Nobody but a laboratory can say these of a module. */
const TOO_MUCH = /validated|proven|certified/i

const OPTIONS: readonly FipsOption[] = ['auto', 'off', 'approved-algorithms', 'module']
const MESSAGE: Bytes = /* @__PURE__ */ Uint8Array.of(1, 2, 3)
const FIXED: Bytes = /* @__PURE__ */ Uint8Array.of(0xa1, 0xa2, 0xa3, 0xa4)
/** Where the nonce stands in a box: version and key id come first. */
const NONCE_AT = 9

async function codeOf(call: () => unknown): Promise<string> {
  try {
    await call()
    return 'accepted'
  } catch (error) {
    const { code, message, name } = error as { code?: string; message?: string; name?: string }
    return name === 'AeadError' ? String(code) : `${name}: ${code ?? message}`
  }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function outcomeOf(
  select: (options: object) => Promise<Selection>,
  fips: FipsOption,
  texts: string[],
): Promise<FipsOutcome> {
  let pick: Selection
  try {
    // A key can be replaced: FIPS caps random nonces, which is not the question here.
    pick = await select({ fips, rekey: 'possible' })
  } catch (error) {
    const said = String((error as Error).message)
    texts.push(said)
    return { fips, outcome: await codeOf(() => Promise.reject(error)), said }
  }
  texts.push(JSON.stringify(pick))
  const { backend } = pick
  const sealing = await codeOf(async () => {
    const sealer = await pick.createSealer(pick.generateKey())
    if (hex(await sealer.decrypt(await sealer.encrypt(MESSAGE))) !== hex(MESSAGE))
      throw new Error('other bytes')
  })
  const aead = await pick.createAead(new Uint8Array(pick.params.keyBytes))
  return {
    fips,
    outcome: pick.algorithm,
    takes: pick.inputs.fips,
    backends: typeof backend === 'string' ? [backend] : [backend.small, backend.large],
    constantTime: aead.guarantees.constantTime.level,
    duties: pick.duties.map((duty) => duty.slice(0, duty.indexOf(':'))),
    sealing: sealing === 'accepted' ? 'sealed and opened' : sealing,
  }
}

/** Checks that need an enforcing module; the last ones switch it off and on again. */
async function moduleChecks(
  select: (options: object) => Promise<Selection>,
  restore: (json: string, options: object) => Promise<Selection>,
  setFips: (flag: boolean) => void,
): Promise<Record<string, true | string>> {
  const module = (options: object = {}): Promise<Selection> =>
    select({ fips: 'module', rekey: 'possible', ...options })
  const seen = (actual: readonly unknown[], expected: readonly unknown[]): true | string =>
    JSON.stringify(actual) === JSON.stringify(expected) || `got ${JSON.stringify(actual)}`
  const nonceOf = async (nonce: string, nonces: object): Promise<readonly string[]> => {
    const pick = await module({ nonce })
    const sealer = await pick.createSealer(pick.generateKey(), { nonces })
    const boxes = [await sealer.encrypt(MESSAGE), await sealer.encrypt(MESSAGE)]
    return boxes.map((box) => hex(box.subarray(NONCE_AT, NONCE_AT + pick.params.nonceBytes)))
  }
  const nonces = (...counts: number[]): readonly string[] =>
    counts.map((count) => hex(FIXED) + count.toString(16).padStart(16, '0'))

  const pick = await module()
  const key = new Uint8Array(pick.params.keyBytes)
  const aead = await pick.createAead(key)
  const nonce = new Uint8Array(pick.params.nonceBytes)
  const outside = await (await select({ fips: 'approved-algorithms', rekey: 'possible' })).createAead(key)
  const opened = await aead.open(nonce, await outside.seal(nonce, MESSAGE))
  const cap = await module({ volume: { messages: 2 ** 32, messageBytes: 64 }, rekey: 'impossible' })
  const more = { volume: { messages: 2 ** 32 + 1, messageBytes: 64 }, rekey: 'impossible' }
  const many = await module({ nonce: 'many-writers' })
  const xaes = { algorithm: 'xaes-256-gcm' }
  const stated = await module({ certificate: 'CMVP #0000, as our operator says' })
  const composed = await module({ ...xaes, optIn: { approvedComposition: true } })
  let next = 7n
  const lease = (): bigint => next++
  const checks: Record<string, true | string> = {
    'a nonce of the caller seals nothing, and opens': seen(
      [await codeOf(() => aead.seal(nonce, MESSAGE)), hex(opened)],
      ['unsupported', hex(MESSAGE)],
    ),
    'random nonces: 2^32 messages and not one more': seen(
      [String(cap.limits.messages), await codeOf(() => module(more))],
      [String(2n ** 32n), 'no-candidate'],
    ),
    'counter nonces: fixed field, then invocation field': seen(
      await nonceOf('counter', { kind: 'counter', fixedField: FIXED, start: 5 }),
      nonces(5, 6),
    ),
    'leased nonces: fixed field, then invocation field': seen(
      await nonceOf('leased', { kind: 'leased', fixedField: FIXED, lease }),
      nonces(7, 8),
    ),
    'many writers: no random nonces, a fixed field each': seen(
      [
        await codeOf(() => many.createSealer(many.generateKey(), { nonces: 'random' })),
        await codeOf(() => many.createSealer(many.generateKey())),
        ...(await nonceOf('many-writers', { kind: 'counter', fixedField: FIXED, start: 0 })),
      ],
      ['invalid-argument', 'invalid-argument', ...nonces(0, 1)],
    ),
    'the certificate is what the operator states': seen(
      [pick.evidence.fips.certificate, stated.evidence.fips.certificate],
      [null, 'CMVP #0000, as our operator says'],
    ),
    'XAES-256-GCM only with optIn.approvedComposition': seen(
      [
        await codeOf(() => module(xaes)),
        composed.algorithm,
        composed.duties.some((one) => /^composition:/.test(one)),
      ],
      ['no-candidate', 'xaes-256-gcm', true],
    ),
  }
  const brought = await module({ evidence: pick.evidence })
  const restored = await restore(JSON.stringify(pick), { evidence: pick.evidence })
  setFips(false)
  checks['after setFips(0) createAead and createSealer refuse'] = seen(
    [await codeOf(() => pick.createAead(key)), await codeOf(() => pick.createSealer(pick.generateKey()))],
    ['fips-unavailable', 'fips-unavailable'],
  )
  checks['evidence of before vouches for no module of now'] = seen(
    [
      await codeOf(() => brought.createAead(key)),
      await codeOf(() => brought.createSealer(brought.generateKey())),
      await codeOf(() => restored.createAead(key)),
    ],
    ['fips-unavailable', 'fips-unavailable', 'fips-unavailable'],
  )
  const loose = await select({ rekey: 'possible' })
  const again = await restore(JSON.stringify(loose), {})
  const decided = await select({ rekey: 'possible', fips: 'off' })
  const keys = [loose, again, decided].map(({ params }) => new Uint8Array(params.keyBytes))
  setFips(true)
  checks['what auto chose without FIPS makes nothing once it is asked for'] = seen(
    [
      loose.inputs.fips,
      await codeOf(() => loose.createAead(keys[0]!)),
      await codeOf(() => loose.createSealer(loose.generateKey())),
      await codeOf(() => again.createAead(keys[1]!)),
      // The library may have lost the algorithm; that is not for us to refuse.
      (await codeOf(() => decided.createAead(keys[2]!))) === 'fips-unavailable',
    ],
    ['off', 'fips-unavailable', 'fips-unavailable', 'fips-unavailable', false],
  )
  const stale = await select({ rekey: 'possible', evidence: loose.evidence })
  checks['evidence that FIPS is off loosens nothing'] = seen(
    [stale.inputs.fips, stale.backend, await codeOf(() => stale.createSealer(stale.generateKey()))],
    ['module', 'node', 'accepted'],
  )
  return checks
}

/**
 * Selects for each value of `fips` and reports what came of it.
 * @param kit - functions of the selector.
 * @param options.base - options of every selection, for example `backends`.
 * @param options.setFips - switches the mode of the process, where the runtime can.
 */
export async function fipsReport(
  kit: FipsKit,
  {
    base = {},
    setFips,
  }: { readonly base?: object; readonly setFips?: ((flag: boolean) => void) | undefined } = {},
): Promise<FipsReport> {
  const select = async (options: object): Promise<Selection> =>
    (await kit.selectAead({ measure: 'never', ...base, ...options })) as Selection
  const restore = async (json: string, options: object): Promise<Selection> =>
    (await kit.restoreSelection(json, { ...base, ...options })) as Selection
  const evidence = await kit.collectEvidence({ measure: 'never' })
  const texts = [evidence.fips.reason]
  const rows: FipsOutcome[] = []
  for (const fips of OPTIONS) rows.push(await outcomeOf(select, fips, texts))
  const enforcing = evidence.fips.state === 'enforcing' && setFips !== undefined
  return {
    runtime: evidence.runtime,
    version: evidence.runtimeVersion,
    observed: evidence.fips.state,
    reason: evidence.fips.reason,
    certificate: evidence.fips.certificate,
    rows,
    checks: enforcing ? await moduleChecks(select, restore, setFips) : {},
    claims: texts.flatMap((text) => TOO_MUCH.exec(text) ?? []),
  }
}
