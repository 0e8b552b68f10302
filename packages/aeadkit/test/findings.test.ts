/** What doctor finds on machines that are not at hand, from fake platforms and timings. */

import { nobleBackend } from '@aeadkit/backend-noble'
import { nodeBackend } from '@aeadkit/backend-node'
import type { AlgorithmId, Evidence, Measurement } from '@aeadkit/core'
import { collectEvidence } from '@aeadkit/selector'
import { describe, expect, it } from 'vitest'
import type { Seen } from '../src/cli/finding.ts'
import { findingsOf } from '../src/cli/findings.ts'
import { BOTH, cpuinfo, type FakeHost, fakeHost } from './fake-host.ts'

const TODAY = new Date('2026-12-01T12:00:00Z')

/** Long messages at these nanoseconds per byte in node:crypto, short ones at this many microseconds. */
function timed(gcm: number, chacha: number, callMicroseconds = 8): readonly Measurement[] {
  const row = (algorithm: AlgorithmId, bytes: number, nanoseconds: number): Measurement => ({
    backend: 'node',
    algorithm,
    operation: 'seal',
    bytes,
    nanoseconds,
  })
  return [
    row('aes-128-gcm', 65_536, gcm * 65_536),
    row('chacha20-poly1305', 65_536, chacha * 65_536),
    row('chacha20-poly1305', 64, callMicroseconds * 1000),
  ]
}

const FAST = timed(0.6, 0.8)
const SLOW = timed(5, 1)

interface Case extends FakeHost {
  readonly measurements?: readonly Measurement[]
  readonly seen?: Partial<Seen>
  readonly given?: Partial<Evidence>
}

async function found({ given = {}, measurements = FAST, seen = {}, ...host }: Case) {
  const backends = [nodeBackend, nobleBackend]
  const evidence = await collectEvidence({
    host: fakeHost(host),
    backends: [nodeBackend],
    given: { ...given, measurements },
  })
  return findingsOf({
    evidence,
    loaded: { backends, unavailable: [], candidates: backends },
    today: TODAY,
    cache: { folder: '/cache/aeadkit', lastFailure: undefined },
    ...seen,
  })
}

const FIPS_CONF = {
  '/etc/fips.cnf': 'nodejs_conf = init\n[init]\nproviders = p\n[p]\nfips = f\nbase = f\n[f]\nactivate = 1\n',
}

/** Name, machine, ids of the findings in order, a pattern of the first problem, one of the first action. */
const CASES: readonly (readonly [string, Case, readonly string[], RegExp?, (RegExp | undefined)?])[] = [
  ['a good machine', {}, []],
  [
    'both halves masked',
    { variables: { OPENSSL_ia32cap: '~0x200000200000000:~0x0' }, measurements: SLOW },
    ['mask'],
    /OPENSSL_ia32cap=~0x200000200000000:~0x0 hides AES and carry-less multiply.*5\.00 ns\/B on node, 5\.0 times/,
    /^unset OPENSSL_ia32cap and start the process again/,
  ],
  [
    'a mask of one vector',
    { variables: { OPENSSL_ia32cap: '~0x200000200000000' }, measurements: SLOW },
    ['mask', 'mask-second-vector'],
    /hides AES and carry-less/,
    /^unset/,
  ],
  [
    'the multiply masked',
    { variables: { OPENSSL_ia32cap: '~0x200000000:~0x0' }, measurements: SLOW },
    ['mask'],
    /hides carry-less multiply, which the CPU has/,
    /^unset/,
  ],
  [
    'a mask that VAES with AVX-512 goes round',
    {
      files: cpuinfo('ssse3 pclmulqdq aes avx2 avx512f avx512bw avx512vl avx512dq vaes vpclmulqdq'),
      variables: { OPENSSL_ia32cap: '~0x200000200000000:~0x0' },
    },
    ['mask-without-effect'],
    /does not slow AES-GCM down here: AES-GCM still uses VAES with AVX-512/,
    /write OPENSSL_ia32cap='~0x200000200000000:~0x60000000000'/,
  ],
  [
    'the same where it is slow all the same',
    {
      files: cpuinfo('ssse3 pclmulqdq aes avx2 avx512f avx512bw avx512vl avx512dq vaes vpclmulqdq'),
      variables: { OPENSSL_ia32cap: '~0x200000200000000:~0x0' },
      measurements: SLOW,
    },
    ['mask'],
    /hides AES and carry-less multiply.*5\.0 times/,
    /^unset/,
  ],
  [
    'the same where nothing was timed',
    {
      files: cpuinfo('ssse3 pclmulqdq aes avx2 avx512f avx512bw avx512vl avx512dq vaes vpclmulqdq'),
      variables: { OPENSSL_ia32cap: '~0x200000200000000:~0x0' },
      measurements: [],
    },
    ['mask-without-effect', 'unmeasured'],
    /does not slow/,
    /:~0x60000000000/,
  ],
  [
    'a mask that timings speak against',
    { variables: { OPENSSL_ia32cap: '~0x200000200000000:~0x0' }, started: null },
    ['mask'],
    /would hide AES and carry-less multiply.*AES-GCM runs on instructions all the same/,
    /^unset/,
  ],
  [
    'a mask on ARM that claims too much',
    {
      arch: 'arm64',
      files: { '/proc/cpuinfo': 'processor\t: 0\nFeatures\t: fp asimd crc32\n' },
      variables: { OPENSSL_armcap: '0xbd' },
      measurements: SLOW,
    },
    ['mask-claims-missing', 'no-instructions'],
    /OPENSSL_armcap=0xbd replaces what is detected and claims AES, carry-less multiply.*SIGILL/,
    /^unset OPENSSL_armcap/,
  ],
  [
    'a number instead of ~ that claims too much',
    { variables: { OPENSSL_ia32cap: '~0x0:0x40000000020' } },
    ['mask-claims-missing'],
    /replaces what is detected and claims VPCLMULQDQ, which this CPU does not show.*SIGILL/,
    /^unset OPENSSL_ia32cap/,
  ],
  [
    'a mask that is no number',
    { variables: { OPENSSL_ia32cap: 'zzz' }, measurements: SLOW },
    ['mask-no-number', 'mask', 'mask-chacha20'],
    /OPENSSL_ia32cap="zzz" is no number.*every instruction that OpenSSL looks for/,
    /^unset OPENSSL_ia32cap/,
  ],
  [
    'a mask with a semicolon',
    { variables: { OPENSSL_ia32cap: '~0x200000200000000;~0x0' }, measurements: SLOW },
    ['mask-no-number', 'mask', 'mask-second-vector'],
    /is no number, and is read as: vector 0 cleared 0x200000200000000, vector 1 zeroed$/,
    /^unset OPENSSL_ia32cap/,
  ],
  [
    'a mask of BoringSSL with a large X',
    { runtime: 'bun', boringssl: true, variables: { OPENSSL_ia32cap: '~0X200000200000000' } },
    ['mask-no-number'],
    /is no number, and is read as: vector 0 as detected, vector 1 as detected$/,
    /^unset OPENSSL_ia32cap/,
  ],
  [
    'a number on ARM that is read in part',
    {
      arch: 'arm64',
      files: { '/proc/cpuinfo': 'processor\t: 0\nFeatures\t: fp asimd aes pmull\n' },
      variables: { OPENSSL_armcap: '0xbd:0x1' },
    },
    ['mask-no-number'],
    /OPENSSL_armcap="0xbd:0x1" is no number, and is read as: 0xbd$/,
    /^unset OPENSSL_armcap/,
  ],
  [
    'a mask that is set and empty',
    { variables: { OPENSSL_ia32cap: '' }, measurements: SLOW },
    ['mask-no-number', 'mask', 'mask-chacha20'],
    /set but empty, which counts as 0/,
    /^unset OPENSSL_ia32cap/,
  ],
  [
    'a colon alone',
    { variables: { OPENSSL_ia32cap: ':' } },
    ['mask-second-vector'],
    /OPENSSL_ia32cap=: leaves the second vector empty, which OpenSSL reads as 0: AVX2/,
    /^unset OPENSSL_ia32cap/,
  ],
  [
    'a first vector and a colon',
    { variables: { OPENSSL_ia32cap: '~0x0:' } },
    ['mask-second-vector'],
    /OPENSSL_ia32cap=~0x0: leaves the second vector empty/,
    /^unset OPENSSL_ia32cap/,
  ],
  [
    'a first vector alone',
    { variables: { OPENSSL_ia32cap: '~0x0' } },
    ['mask-second-vector'],
    /names one vector only, and OpenSSL zeroes the other/,
    /^unset OPENSSL_ia32cap/,
  ],
  [
    'a mask of SSSE3, which ChaCha20 needs',
    { variables: { OPENSSL_ia32cap: '~0x20000000000:~0x0' } },
    ['mask-chacha20'],
    /hides SSSE3, which the CPU has and which ChaCha20-Poly1305 of this library runs on/,
    /^unset OPENSSL_ia32cap/,
  ],
  [
    'a mask of AVX2',
    { variables: { OPENSSL_ia32cap: '~0x0:~0x20' } },
    ['mask-chacha20'],
    /hides AVX2/,
    /^unset OPENSSL_ia32cap/,
  ],
  [
    'a number that leaves AES and takes what ChaCha20 needs',
    { variables: { OPENSSL_ia32cap: '0x200000200000000:0x0' } },
    ['mask-chacha20'],
    /hides SSSE3 and AVX2/,
    /write OPENSSL_ia32cap='0x200020200000000:0x20'$/,
  ],
  [
    'a mask set in a running process',
    { variables: { OPENSSL_ia32cap: '~0x200000200000000:~0x0' }, started: {} },
    ['mask-late'],
    /OPENSSL_ia32cap=~0x200000200000000:~0x0 was set after the process started.*no effect/,
    /OPENSSL_ia32cap='~0x200000200000000:~0x0' in the environment before the process starts/,
  ],
  [
    'a mask taken away in a running process',
    { started: { OPENSSL_ia32cap: '~0x200000200000000:~0x0' }, measurements: SLOW },
    ['mask', 'mask-late'],
    /hides AES and carry-less multiply/,
    /^unset OPENSSL_ia32cap and start the process again/,
  ],
  [
    'a mask where only the present value shows',
    {
      variables: { OPENSSL_ia32cap: '~0x200000200000000:~0x0' },
      started: null,
      measurements: SLOW,
    },
    ['mask'],
    /hides AES and carry-less multiply/,
    /^unset OPENSSL_ia32cap and start the process again/,
  ],
  ['a variable of another architecture', { variables: { OPENSSL_armcap: '0x0' } }, []],
  [
    'a mask of IBM Z',
    {
      arch: 's390x',
      files: { '/proc/cpuinfo': 'processor\t: 0\nfeatures\t: esan3 msa\n' },
      variables: { OPENSSL_s390xcap: 'z13' },
    },
    ['mask-not-read'],
    /which instructions it takes away is not known$/,
    undefined,
  ],
  [
    'a mask that Deno may not read',
    { runtime: 'deno', runtimeVersion: '2.9.6', variables: { OPENSSL_ia32cap: '~0x200000200000000' } },
    ['mask-not-read'],
    /whether the library of deno reads it is not known$/,
    undefined,
  ],
  [
    'a guest with aes and without pclmulqdq',
    { files: cpuinfo('ssse3 aes avx2 hypervisor'), measurements: SLOW },
    ['vm-model'],
    /no carry-less multiply \(pclmulqdq\).*x86-64-v2-AES.*5\.0 times/,
    /CPU model of the guest to "host".*Proxmox VE: CPU type host/,
  ],
  [
    'a guest without AES',
    { files: cpuinfo('ssse3 hypervisor'), measurements: SLOW },
    ['vm-no-aes'],
    /qemu64, kvm64/,
    /if the host has them$/,
  ],
  [
    'a machine without AES: nothing to do',
    { files: cpuinfo('ssse3'), measurements: SLOW },
    ['no-instructions'],
    /ChaCha20-Poly1305 is the answer/,
    undefined,
  ],
  [
    'software AES of Deno',
    { runtime: 'deno', runtimeVersion: '2.9.6', measurements: timed(6.4, 1) },
    ['software-aes'],
    /deno 2\.9\.6 computes AES in software in node:crypto, though the CPU has the instructions.*6\.4 times/,
    /run on Node/,
  ],
  [
    'a Node built without assembly',
    { measurements: timed(6.4, 1) },
    ['software-aes'],
    /node 24\.22\.3 computes AES in software/,
    /official build/,
  ],
  [
    'setFips without a provider',
    { fips: 1, refuses: ['aes-128-gcm', 'chacha20-poly1305', 'md5'] },
    ['fips-unusable'],
    /requested and cannot be used.*no provider is named.*refused/,
    /openssl fipsinstall.*drop --enable-fips/,
  ],
  [
    'a library without ChaCha20 that is no module',
    { fips: 1, refuses: ['chacha20-poly1305'] },
    ['fips-unusable'],
    /MD5 still works/,
    /default_properties = fips=yes/,
  ],
  [
    'a provider that nobody asks for',
    { files: { ...BOTH, ...FIPS_CONF }, variables: { OPENSSL_CONF: '/etc/fips.cnf' } },
    ['fips-idle'],
    /everything runs outside the module/,
    /where FIPS binds/,
  ],
  [
    'a provider that is in force',
    {
      files: { ...BOTH, ...FIPS_CONF },
      variables: { OPENSSL_CONF: '/etc/fips.cnf' },
      fips: 1,
      refuses: ['chacha20-poly1305', 'md5'],
    },
    [],
  ],
  [
    'Deno without permissions',
    { runtime: 'deno', denied: 'permission prompt', measurements: FAST },
    ['permissions'],
    /look at .*cpu\.flags/,
    /--allow-all/,
  ],
  [
    'slow calls',
    { measurements: timed(0.6, 0.8, 36) },
    ['slow-calls'],
    /36 µs: a busy machine, or this version of node\. .*6 to 12 µs.*Node 24\.21\.0 is slow/,
    /on an idle machine/,
  ],
  ['nothing measured', { measurements: [] }, ['unmeasured'], /chosen by kind/, /without --measure never/],
  [
    'timings too close, no flags',
    { platform: 'win32', measurements: timed(1, 0.8) },
    ['undecided'],
    /too close to tell/,
    /--measure always/,
  ],
  [
    'no WebAssembly, and with it no libsodium',
    {
      seen: {
        loaded: {
          backends: [nodeBackend],
          candidates: [nodeBackend],
          unavailable: [
            { name: 'wasm', reason: 'Error: blocked' },
            { name: 'sodium', reason: 'WebAssembly is not defined' },
          ],
        },
      },
    },
    ['no-wasm'],
    /blocked.*short messages/,
    /--jitless/,
  ],
  [
    'a broken package',
    {
      seen: {
        loaded: {
          backends: [nodeBackend],
          candidates: [nodeBackend],
          unavailable: [{ name: 'sodium', reason: 'Error: not found' }],
        },
      },
    },
    ['backend-missing'],
    /sodium \(Error: not found\)/,
    /install aeadkit again/,
  ],
  [
    'wrong answers',
    {
      given: {
        items: [
          {
            name: 'backend.wasm.aes-128-gcm',
            value: 'self-test: wrong answer',
            source: 'self-test',
            certainty: 'observed',
          },
        ],
      },
    },
    ['wrong-answers', 'no-wasm'],
    /wasm\.aes-128-gcm \(wrong answer\)/,
    /another version/,
  ],
  [
    'a cache that cannot be written',
    { seen: { cache: { folder: '/cache/x', lastFailure: 'EACCES' } } },
    ['cache'],
    /\/cache\/x \(EACCES\)/,
    /make \/cache\/x writable, or name a folder that can be written, .* in XDG_CACHE_HOME$/,
  ],
  [
    'a cache that Deno was given no permission for',
    {
      runtime: 'deno',
      seen: { cache: { folder: '/cache/x', lastFailure: 'Deno was given no permission to write there' } },
    },
    ['cache'],
    /no permission to write there/,
    /^run with --allow-read, --allow-sys=uid and --allow-write=\/cache\/x$/,
  ],
  [
    "a cache that Node's permission model closes",
    {
      seen: {
        cache: {
          folder: '/cache/x',
          lastFailure: 'Access to this API has been restricted. Use --allow-fs-write',
        },
      },
    },
    ['cache'],
    /has been restricted/,
    /^make \/cache\/x, and run with --allow-fs-read=\/cache\/x\/ and --allow-fs-write=\/cache\/x\/$/,
  ],
  [
    'a cache that others can write',
    { seen: { cache: { folder: '/cache/x', lastFailure: 'a cache file can be written by other users' } } },
    ['cache'],
    /other users/,
    /^delete \/cache\/x .* for you alone, or name a folder/,
  ],
  [
    "flags that Node's permission model closes",
    {
      given: {
        items: [
          {
            name: 'cpu.flags',
            value: 'unknown',
            source: '/proc/cpuinfo: ERR_ACCESS_DENIED',
            certainty: 'unknown',
          },
        ],
      },
    },
    ['permissions'],
    /permission model of this process does not let it look at cpu\.flags/,
    /^to see them run with --allow-fs-read=\/proc$/,
  ],
  [
    'a cache folder that Deno may not look for',
    { runtime: 'deno', seen: { cache: { folder: '', lastFailure: 'the runtime may not tell' } } },
    ['cache'],
    /cannot be kept in the cache folder/,
    /^run with --allow-env --allow-read --allow-write --allow-sys$/,
  ],
  [
    'old facts',
    { seen: { today: new Date('2027-10-01T00:00:00Z') } },
    ['old-facts'],
    /speed-ratios \(2026-09-13\)/,
    /doctor --facts/,
  ],
]

describe('findings', () => {
  for (const [name, machine, ids, problem, action] of CASES) {
    it(name, async () => {
      const findings = await found(machine)
      expect(findings.map(({ id }) => id)).toEqual(ids)
      if (problem !== undefined) expect(findings[0]?.problem).toMatch(problem)
      if (action !== undefined) expect(findings[0]?.action).toMatch(action)
      else expect(findings[0]?.action).toBeUndefined()
    })
  }

  it('the second vector is given back in the action', async () => {
    const findings = await found({ variables: { OPENSSL_ia32cap: '~0x200000200000000' }, measurements: SLOW })
    expect(findings[1]?.problem).toMatch(/OpenSSL zeroes the other: AVX2 and AVX-512 are off too/)
    expect(findings[1]?.action).toBe(
      "where the mask is meant, write OPENSSL_ia32cap='~0x200000200000000:~0x0'",
    )
  })

  it('what has no action says why there is nothing to do', async () => {
    let settled = 0
    for (const [name, machine] of CASES) {
      for (const one of await found(machine)) {
        expect((one.action === undefined) !== (one.settled === undefined), `${name}: ${one.id}`).toBe(true)
        if (one.settled !== undefined) settled++
      }
    }
    expect(settled).toBeGreaterThanOrEqual(4)
  })

  it('no text claims more of a module than was seen', async () => {
    for (const [, machine] of CASES)
      expect(JSON.stringify(await found(machine))).not.toMatch(/validated|proven|certified/i)
  })

  it('few things are to be done, however much is wrong', async () => {
    for (const [name, machine] of CASES) {
      const actions = new Set((await found(machine)).flatMap(({ action }) => action ?? []))
      expect(actions.size, name).toBeLessThanOrEqual(3)
    }
  })
})
