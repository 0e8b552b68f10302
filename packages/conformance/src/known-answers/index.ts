import type { VectorCase } from '../vectors.ts'
import { AEGIS_ANSWERS } from './aegis.ts'
import { ASCON_MGM_ANSWERS } from './ascon-mgm.ts'
import { CCM_OCB_ANSWERS } from './ccm-ocb.ts'
import { CHACHA_ANSWERS } from './chacha.ts'
import { FIXED_ANSWERS } from './fixed.ts'
import { GCM_ANSWERS } from './gcm.ts'
import { GCM_SIV_ANSWERS } from './gcm-siv.ts'

/** Known answers that need no vector file. Built on demand, so that importing does no work. */
export function knownAnswers(): readonly VectorCase[] {
  const all = [
    ...GCM_ANSWERS,
    ...CCM_OCB_ANSWERS,
    ...GCM_SIV_ANSWERS,
    ...CHACHA_ANSWERS,
    ...AEGIS_ANSWERS,
    ...ASCON_MGM_ANSWERS,
    ...FIXED_ANSWERS,
  ]
  return all.map((answer) => ({ ...answer, result: 'valid', flags: [], comment: '' }))
}
