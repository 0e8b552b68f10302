import type { Evidence } from '@aeadkit/core'
import type { LoadedBackends } from '../load.ts'

/** One thing that would improve this machine, and why. */
export interface Advice {
  readonly id: string
  readonly text: string
}

interface AdviceRule {
  readonly id: string
  readonly applies: (evidence: Evidence, loaded: LoadedBackends) => boolean
  readonly text: (evidence: Evidence, loaded: LoadedBackends) => string
}

const itemValue = (evidence: Evidence, name: string): string | undefined =>
  evidence.items.find((item) => item.name === name)?.value

/** Flags of the CPU before masks. */
const flag = (evidence: Evidence, name: string): boolean => itemValue(evidence, `cpu.flags.${name}`) === 'yes'

const masked = (evidence: Evidence): boolean =>
  (flag(evidence, 'aes') && evidence.aes === 'no') || (flag(evidence, 'clmul') && evidence.clmul === 'no')

const RULES: readonly AdviceRule[] = [
  {
    id: 'mask',
    applies: masked,
    text: () =>
      'an environment mask (OPENSSL_ia32cap or OPENSSL_armcap) hides instructions the CPU has: unset it and start the process again, unless that is what you want to test',
  },
  {
    id: 'vm-model',
    applies: (evidence) =>
      !masked(evidence) && flag(evidence, 'aes') && itemValue(evidence, 'cpu.flags.clmul') === 'no',
    text: () =>
      'the CPU shows AES but no carry-less multiply (pclmulqdq): most likely the hypervisor uses a CPU model such as x86-64-v2-AES; set the model to "host" and AES-GCM becomes several times faster',
  },
  {
    id: 'not-used',
    applies: (evidence) =>
      evidence.hardwareClass === 'none' &&
      evidence.source === 'measured' &&
      evidence.aes === 'yes' &&
      evidence.clmul === 'yes',
    text: ({ runtime, runtimeVersion }) =>
      `the CPU has AES instructions but ${runtime} ${runtimeVersion} does not use them: its library was built without them; another version or build of the runtime may`,
  },
  {
    id: 'fips-unusable',
    applies: ({ fips }) => fips.state === 'requested-unusable',
    text: ({ fips }) =>
      `FIPS mode is requested but not usable (${fips.reason}): install and configure a FIPS provider through OPENSSL_CONF, or stop requesting it`,
  },
  {
    id: 'backend-missing',
    applies: (_, { unavailable }) => unavailable.length > 0,
    text: (_, { unavailable }) =>
      `not every backend could be loaded (${unavailable.map(({ name }) => name).join(', ')}): see the reasons above`,
  },
]

/** What would help here, most useful first. */
export function adviceOf(evidence: Evidence, loaded: LoadedBackends): readonly Advice[] {
  return RULES.filter(({ applies }) => applies(evidence, loaded)).map(({ id, text }) => ({
    id,
    text: text(evidence, loaded),
  }))
}
