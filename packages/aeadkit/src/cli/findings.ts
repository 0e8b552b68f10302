import type { Evidence, EvidenceItem } from '@aeadkit/core'
import { isOld, ruleFacts } from '@aeadkit/core/catalog'
import type { LoadedBackends } from '../load.ts'
import { type LibraryRatio, ratiosOf } from './speeds.ts'

/** One thing that is slow or wrong here, why, and what would cure it. */
export interface Finding {
  readonly id: string
  /** What is slow or wrong, and why. */
  readonly problem: string
  /** What to do about it; absent where nothing helps or nothing is needed. */
  readonly action?: string | undefined
}

/** What the findings are made from. */
export interface Seen {
  readonly evidence: Evidence
  readonly loaded: LoadedBackends
  readonly today: Date
  readonly cache: { readonly folder: string; readonly lastFailure: string | undefined }
}

interface Look extends Seen {
  /** Value of an item, or `undefined`. */
  value(name: string): string | undefined
  /** Halves that the CPU has and a mask hides. */
  readonly hidden: readonly string[]
  readonly ratios: readonly LibraryRatio[]
  readonly mask: { readonly name: string; readonly value: string } | undefined
}

type Row = (look: Look) => Omit<Finding, 'id'> | undefined

/** Below this ratio of the two ciphers inside one library AES runs in software there. */
const SOFTWARE_RATIO = 0.5
/** A call of node:crypto takes 6 to 12 µs; from here on something is wrong with this version. */
const SLOW_CALL_NS = 20_000

/** How much slower AES-GCM is than ChaCha20-Poly1305 where it was timed. */
function slower(ratios: readonly LibraryRatio[]): string {
  const [worst] = [...ratios].sort((a, b) => a.chachaPerByte / a.gcmPerByte - b.chachaPerByte / b.gcmPerByte)
  if (worst === undefined) return 'it was not timed, and is then several times slower than ChaCha20-Poly1305'
  const { backend, chachaPerByte, gcm, gcmPerByte } = worst
  const times = gcmPerByte / chachaPerByte
  return `${gcm} takes ${gcmPerByte.toFixed(2)} ns/B on ${backend}, ${times.toFixed(1)} times what chacha20-poly1305 takes`
}

const HOST_MODEL =
  'set the CPU model of the guest to "host" (QEMU -cpu host; libvirt mode="host-passthrough"; Proxmox VE: CPU type host) and start the guest again'

/** Most useful first. */
const ROWS: Readonly<Record<string, Row>> = {
  'fips-unusable': ({ evidence: { fips } }) => {
    if (fips.state !== 'requested-unusable') return undefined
    const loaded = fips.provider === 'unknown' ? 'no provider is named' : `it names ${fips.provider}`
    return {
      problem: `FIPS mode is requested and cannot be used: ${fips.reason}; in the OpenSSL configuration ${loaded}. Every selection with fips auto or module is refused`,
      action:
        'install an OpenSSL FIPS provider (openssl fipsinstall), activate it in the file that OPENSSL_CONF names with default_properties = fips=yes, and start with --enable-fips; or, where FIPS does not bind, drop --enable-fips and setFips()',
    }
  },
  'fips-idle': ({ evidence: { fips }, value }) => {
    if (fips.state !== 'off' || !/\bfips\b/.test(value('openssl.providers') ?? '')) return undefined
    return {
      problem:
        'the OpenSSL configuration activates a FIPS provider, but this process does not ask for it: everything runs outside the module',
      action:
        'where FIPS binds, start node with --enable-fips or set default_properties = fips=yes; else take the provider out of the configuration',
    }
  },
  'wrong-answers': ({ evidence }) => {
    // Under a FIPS mode that is unusable everything fails, and that has a finding of its own.
    if (evidence.fips.state === 'requested-unusable') return undefined
    const wrong = evidence.items.filter(
      ({ name, value }) => /^backend\.[^.]+\./.test(name) && value.startsWith('self-test:'),
    )
    if (wrong.length === 0) return undefined
    const said = wrong.map(({ name, value }) => `${name.slice(8)} (${value.slice(11)})`)
    return {
      problem: `self-tests failed: ${said.join('; ')}. What fails is never used`,
      action: 'install the libraries of these backends again, or another version of them or of the runtime',
    }
  },
  'mask-claims-missing': ({ mask, value }) =>
    value('openssl.mask.claims-missing') === undefined
      ? undefined
      : {
          problem: `${mask?.name ?? 'the mask'} claims instructions that this CPU does not show: the process ends with SIGILL when OpenSSL uses them`,
          action: `unset ${mask?.name ?? 'it'}; openssl info -cpusettings prints what the CPU has`,
        },
  mask: ({ evidence, hidden, mask, ratios }) => {
    if (mask === undefined || hidden.length === 0) return undefined
    return {
      problem: `${mask.name}=${mask.value} hides ${hidden.join(' and ')}, which the CPU has, from the library of ${evidence.runtime}: ${
        evidence.hardwareClass === 'hardware' ? 'AES-GCM runs without them' : slower(ratios)
      }`,
      action: `unset ${mask.name} and start the process again (it is read once, at the start); keep it only for a test`,
    }
  },
  'mask-second-vector': ({ mask, value }) => {
    if (mask === undefined || value('openssl.mask.second-vector') === undefined) return undefined
    return {
      problem: `${mask.name} names one vector only, and OpenSSL zeroes the other: AVX2 and AVX-512 are off too, and ChaCha20-Poly1305 of OpenSSL runs at about half its speed`,
      action: `where the mask is meant, write ${mask.name}='${mask.value}:~0x0'`,
    }
  },
  'mask-without-effect': ({ mask, value }) =>
    mask === undefined || value('openssl.mask.vaes-trap') === undefined
      ? undefined
      : {
          problem: `${mask.name} does not slow AES-GCM down here: ${value('openssl.mask.vaes-trap')}`,
          action: `where the mask is meant, write ${mask.name}='${mask.value.split(':')[0]}:~0x60000000000'`,
        },
  'mask-not-read': ({ evidence, mask }) => {
    const set = evidence.items.find(
      ({ name, value: text }) => name.startsWith('openssl.mask.') && /effect unknown|not read/.test(text),
    )
    return set === undefined || mask === undefined
      ? undefined
      : {
          problem: `${mask.name} is set, and whether the library of ${evidence.runtime} reads it is not known`,
        }
  },
  'vm-model': ({ hidden, ratios, value }) => {
    if (hidden.length > 0 || value('vm.model') === undefined) return undefined
    return {
      problem: `the CPU shows AES but no carry-less multiply (pclmulqdq), which hypervisor CPU models such as x86-64-v2-AES hide: AES-GCM falls to tables; ${slower(ratios)}`,
      action: HOST_MODEL,
    }
  },
  'vm-no-aes': ({ ratios, value }) => {
    if (value('cpu.flags.hypervisor') !== 'yes' || value('cpu.flags.aes') !== 'no') return undefined
    return {
      problem: `the virtual machine shows no AES instructions, which plain CPU models (qemu64, kvm64) hide: ${slower(ratios)}`,
      action: `${HOST_MODEL}, if the host has them`,
    }
  },
  'no-instructions': ({ ratios, value }) => {
    if (value('cpu.flags.hypervisor') === 'yes' || value('cpu.flags.aes') !== 'no') return undefined
    return {
      problem: `this CPU has no AES instructions: ${slower(ratios)}. ChaCha20-Poly1305 is the answer, and is chosen`,
    }
  },
  'software-aes': ({ evidence, hidden, ratios, value }) => {
    if (
      hidden.length > 0 ||
      value('cpu.flags.aes') === 'no' ||
      evidence.aes !== 'yes' ||
      evidence.clmul !== 'yes'
    )
      return undefined
    const soft = ratios.filter(({ chachaPerByte, gcmPerByte }) => chachaPerByte / gcmPerByte < SOFTWARE_RATIO)
    if (soft.length === 0) return undefined
    const { runtime, runtimeVersion } = evidence
    const names = soft.map(({ backend }) => (backend === 'node' ? 'node:crypto' : backend)).join(' and ')
    return {
      problem: `${runtime} ${runtimeVersion} computes AES in software in ${names}, though the CPU has the instructions: ${slower(soft)}`,
      action:
        runtime === 'node'
          ? 'take an official build of Node: this one has an OpenSSL without assembly code'
          : `where AES-GCM must be fast, run on Node, whose OpenSSL uses the instructions; else leave the choice to selectAead, and do not call ${names} of ${runtime} for AES by hand`,
    }
  },
  'no-wasm': ({ evidence, loaded }) => {
    const lost = loaded.unavailable.find(({ name }) => name === 'wasm')
    const probes = evidence.items.filter(({ name }) => name.startsWith('backend.wasm.'))
    // What is there and was not tested is not refused.
    const works = probes.some(({ certainty, value }) => value === 'passed' || certainty === 'unknown')
    const refused = probes.length > 0 && !works
    if (lost === undefined && !refused) return undefined
    return {
      problem: `WebAssembly cannot be used (${lost?.reason ?? probes[0]?.value}): short messages cost a call of the native library each, several times what WebAssembly takes`,
      action: "allow WebAssembly: no --jitless, and 'wasm-unsafe-eval' in a content security policy",
    }
  },
  'backend-missing': ({ loaded }) => {
    const lost = loaded.unavailable.filter(
      // Without WebAssembly there is no libsodium either.
      ({ name, reason }) => name !== 'wasm' && !reason.includes('WebAssembly'),
    )
    if (lost.length === 0) return undefined
    return {
      problem: `not every backend could be loaded: ${lost.map(({ name, reason }) => `${name} (${reason})`).join('; ')}`,
      action: 'install aeadkit again with all its dependencies, where one of these is wanted',
    }
  },
  'slow-calls': ({ evidence }) => {
    const call = evidence.measurements.find(
      ({ algorithm, backend, bytes, operation }) =>
        backend === 'node' && algorithm === 'chacha20-poly1305' && bytes === 64 && operation === 'seal',
    )
    const time = call?.bestNanoseconds ?? call?.nanoseconds
    if (time === undefined || time < SLOW_CALL_NS) return undefined
    return {
      problem: `one call of node:crypto takes ${(time / 1000).toFixed(0)} µs, where 6 to 12 are usual: a busy machine, or this version of ${evidence.runtime} (Node 24.21.0 is slow, 24.22.3 is not)`,
    }
  },
  permissions: ({ evidence }) => {
    const denied = evidence.items.filter(
      ({ certainty, source }) =>
        certainty === 'unknown' && /permission (prompt|denied)|NotCapable/.test(source),
    )
    if (denied.length === 0) return undefined
    return {
      problem: `Deno does not let this process look at ${denied.map(({ name }) => name).join(', ')}: flags and masks are unknown, and only timings tell`,
      // Deno opens files of /proc to no smaller permission.
      action: 'to see them run with --allow-all: Deno opens /proc/cpuinfo to nothing less',
    }
  },
  undecided: ({ evidence, ratios }) => {
    if (evidence.hardwareClass !== 'unknown' || ratios.length === 0) return undefined
    return {
      problem: 'the timings are too close to tell whether AES runs on instructions, and no flags are visible',
      action: 'run again on an idle machine: aeadkit doctor --measure always',
    }
  },
  unmeasured: ({ evidence }) =>
    evidence.measurements.length > 0
      ? undefined
      : {
          problem:
            'nothing was measured: backends are chosen by kind, and a mask or a slow library shows only as far as flags tell',
          action: 'run aeadkit doctor without --measure never',
        },
  cache: ({ cache, evidence: { fips } }) =>
    cache.lastFailure === undefined || fips.state === 'requested-unusable'
      ? undefined
      : {
          problem: `timings cannot be kept in ${cache.folder || 'the cache folder'} (${cache.lastFailure}): every run measures again`,
        },
  'old-facts': ({ today }) => {
    const old = ruleFacts().filter(({ asOf }) => isOld(asOf, today))
    if (old.length === 0) return undefined
    return {
      problem: `facts that the rules rest on were checked more than a year ago: ${old.map(({ asOf, id }) => `${id} (${asOf})`).join(', ')}`,
      action: 'update aeadkit; aeadkit doctor --facts lists them and where to look again',
    }
  },
}

function maskOf(items: readonly EvidenceItem[]): Look['mask'] {
  const item = items.find(
    ({ certainty, name }) => /^env\.OPENSSL_.*cap$/.test(name) && certainty === 'observed',
  )
  return item === undefined ? undefined : { name: item.name.slice(4), value: item.value }
}

const HALVES: readonly (readonly [flag: string, now: 'aes' | 'clmul', name: string])[] = [
  ['cpu.flags.aes', 'aes', 'AES'],
  ['cpu.flags.clmul', 'clmul', 'carry-less multiply'],
]

/** Everything that is slow or wrong here, most useful first. */
export function findingsOf(seen: Seen): readonly Finding[] {
  const { evidence, loaded } = seen
  const value = (name: string): string | undefined => evidence.items.find((item) => item.name === name)?.value
  const look: Look = {
    ...seen,
    value,
    hidden: HALVES.flatMap(([flag, now, name]) =>
      value(flag) === 'yes' && evidence[now] === 'no' ? [name] : [],
    ),
    ratios: ratiosOf(evidence, loaded.backends),
    mask: maskOf(evidence.items),
  }
  return Object.entries(ROWS).flatMap(([id, row]) => {
    const found = row(look)
    return found === undefined ? [] : [{ id, ...found }]
  })
}
