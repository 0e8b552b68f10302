import { isOld, ruleFacts } from '@aeadkit/core/catalog'
import { SOFTWARE_RATIO } from '@aeadkit/selector'
import { type Finding, type Look, type Row, type Seen, slower } from './finding.ts'
import { AES_MASK_ROWS, maskOf, OTHER_MASK_ROWS } from './mask-findings.ts'
import { ratiosOf } from './speeds.ts'

/** Twice what a call of node:crypto takes at most (fact node-call-cost); from here on something is wrong. */
const SLOW_CALL_NS = 20_000

const HOST_MODEL =
  'set the CPU model of the guest to "host" (QEMU -cpu host; libvirt mode="host-passthrough"; Proxmox VE: CPU type host) and start the guest again'

/** Dearest first: what refuses or ends the process, what makes AES several times slower, what costs less. */
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
  ...AES_MASK_ROWS,
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
      settled: 'no setting gives a CPU instructions, and what is chosen does without them',
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
  ...OTHER_MASK_ROWS,
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
      problem: `one call of node:crypto takes ${(time / 1000).toFixed(0)} µs: a busy machine, or this version of ${evidence.runtime}. ${factText('node-call-cost')}`,
      action:
        'run npx aeadkit doctor --measure always on an idle machine; where it stays, take another release of the runtime',
    }
  },
  permissions: ({ evidence }) => {
    const denied = evidence.items.filter(
      ({ certainty, source }) =>
        certainty === 'unknown' && /permission (prompt|denied)|NotCapable|ERR_ACCESS_DENIED/.test(source),
    )
    if (denied.length === 0) return undefined
    const deno = evidence.runtime === 'deno'
    return {
      problem: `${deno ? 'Deno' : 'the permission model of this process'} does not let it look at ${denied.map(({ name }) => name).join(', ')}: flags and masks are unknown, and only timings tell`,
      action: deno
        ? // Deno opens files of /proc to no smaller permission.
          'to see them run with --allow-all: Deno opens /proc/cpuinfo to nothing less'
        : 'to see them run with --allow-fs-read=/proc',
    }
  },
  undecided: ({ evidence, ratios }) => {
    if (evidence.hardwareClass !== 'unknown' || ratios.length === 0) return undefined
    return {
      problem: 'the timings are too close to tell whether AES runs on instructions, and no flags are visible',
      action: 'run again on an idle machine: npx aeadkit doctor --measure always',
    }
  },
  unmeasured: ({ evidence }) =>
    evidence.measurements.length > 0
      ? undefined
      : {
          problem:
            'nothing was measured: backends are chosen by kind, and a mask or a slow library shows only as far as flags tell',
          action: 'run npx aeadkit doctor without --measure never',
        },
  cache: ({ cache, evidence: { fips, runtime } }) => {
    if (cache.lastFailure === undefined || fips.state === 'requested-unusable') return undefined
    const folder = cache.folder || 'the cache folder'
    return {
      problem: `timings cannot be kept in ${folder} (${cache.lastFailure}): every run measures again`,
      action: cacheAction(runtime, cache),
    }
  },
  'old-facts': ({ today }) => {
    const old = ruleFacts().filter(({ asOf }) => isOld(asOf, today))
    if (old.length === 0) return undefined
    return {
      problem: `facts that the rules rest on were checked more than a year ago: ${old.map(({ asOf, id }) => `${id} (${asOf})`).join(', ')}`,
      action: 'update aeadkit; npx aeadkit doctor --facts lists them and where to look again',
    }
  },
}

/**
 * On Deno, and in Node's permission model, a permission is missing more often than a right, and without one to read the
 * environment no name is seen.
 */
function cacheAction(runtime: string, { folder, lastFailure = '' }: Seen['cache']): string {
  const named = 'a folder that can be written, by its absolute path, in XDG_CACHE_HOME'
  if (runtime === 'deno' && folder === '')
    return 'run with --allow-env --allow-read --allow-write --allow-sys'
  if (runtime === 'deno' && lastFailure.includes('Deno was given no permission'))
    return `run with --allow-read, --allow-sys=uid and --allow-write=${folder}`
  if (/ERR_ACCESS_DENIED|has been restricted/.test(lastFailure))
    return `make ${folder}, and run with --allow-fs-read=${folder}/ and --allow-fs-write=${folder}/`
  if (/other users?$/.test(lastFailure))
    return `delete ${folder} if somebody else has written there, and make it again for you alone, or name ${named}`
  return folder === '' ? `name ${named}` : `make ${folder} writable, or name ${named}`
}

/** A fact of the table of those that age. */
function factText(id: string): string {
  return ruleFacts().find((one) => one.id === id)?.text ?? ''
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
