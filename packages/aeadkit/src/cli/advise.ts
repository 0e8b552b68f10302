import { AeadError, type HardwareClass } from '@aeadkit/core'
import {
  type AdviceOptions,
  nginxSnippet,
  openvpnSettings,
  type ProbedOrder,
  type ProtocolAdvice,
  probeTls,
  type Role,
  sshClientConfig,
  type TlsProbe,
  type TlsRuntime,
  type TlsVersion,
  tlsOptions,
} from '@aeadkit/selector/protocols'
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { colours } from './colour.ts'
import type { CliContext } from './context.ts'
import { bullet, heading, jsonText, type Output, tableText } from './output.ts'
import { addSelectOptions, selectOptionsOf } from './select-options.ts'

interface Given {
  readonly json?: boolean
  readonly role?: Role
  readonly hardware?: HardwareClass
  readonly speeds?: AdviceOptions['speeds']
  readonly minVersion?: TlsVersion
  readonly runtime?: TlsRuntime
  readonly host?: string
  readonly probe?: boolean
}

type Protocol = 'tls' | 'ssh' | 'nginx' | 'openvpn'

/** Which options belong to which protocol; the others are refused, so that nothing is silently without effect. */
const OWN: Readonly<Record<'minVersion' | 'runtime' | 'host' | 'probe', readonly Protocol[]>> = {
  minVersion: ['tls', 'nginx'],
  runtime: ['tls'],
  host: ['ssh'],
  probe: ['tls'],
}

const ADVISE: Readonly<Record<Protocol, (options: AdviceOptions, given: Given) => ProtocolAdvice>> = {
  tls: (options, { minVersion, runtime }) => tlsOptions({ ...options, minVersion, runtime }),
  nginx: (options, { minVersion }) => nginxSnippet({ ...options, minVersion }),
  ssh: (options, { host }) => sshClientConfig({ ...options, host }),
  openvpn: (options) => openvpnSettings(options),
}

function speedsOf(text: string): { readonly gcm: number; readonly chacha: number } {
  const found = /^(\d+(?:\.\d+)?)[:,](\d+(?:\.\d+)?)$/.exec(text)
  const [gcm, chacha] = [Number(found?.[1]), Number(found?.[2])]
  if (!(gcm > 0) || !(chacha > 0)) {
    throw new InvalidArgumentError(
      'It takes two speeds above 0, of AES-GCM and of ChaCha20-Poly1305: 413:234.',
    )
  }
  return { gcm, chacha }
}

/** `aeadkit advise`: settings for programs whose protocol negotiates the cipher. */
export function addAdvise(program: Command, context: CliContext, output: Output): void {
  const command = program
    .command('advise')
    .description('settings for TLS in this runtime, nginx, OpenSSH or OpenVPN, with their reasons')
    .addArgument(new Argument('<protocol>', 'what to set up').choices(Object.keys(ADVISE)))
    .addOption(
      new Option(
        '--role <side>',
        'which side it is for; default: client for ssh, server for the others',
      ).choices(['server', 'client']),
    )
    .addOption(
      new Option(
        '--hardware <class>',
        'AES hardware of the machine it is for; default: this one, measured',
      ).choices(['hardware', 'none', 'unknown']),
    )
    .addOption(
      new Option(
        '--speeds <gcm:chacha>',
        'speeds measured on that machine, in one unit, for example 413:234',
      ).argParser(speedsOf),
    )
    .addOption(
      new Option('--min-version <version>', 'oldest TLS version (tls, nginx)').choices([
        'TLSv1.2',
        'TLSv1.3',
      ]),
    )
    .addOption(
      new Option('--runtime <name>', 'runtime the options are for (tls); default: this one').choices([
        'node',
        'electron',
        'bun',
        'deno',
      ]),
    )
    .option('--host <patterns>', 'patterns of the Host line (ssh client)')
    .option('--probe', 'make handshakes over loopback in this process to see what it obeys (tls)')
    .option('--json', 'print JSON')
  addSelectOptions(command, ['readers', 'fips', 'regulation', 'keyBits', 'measure', 'measureBudgetMs'])
  command.action(async (protocol: Protocol, given: Given) => {
    for (const [name, protocols] of Object.entries(OWN)) {
      if (given[name as keyof typeof OWN] !== undefined && !protocols.includes(protocol)) {
        const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
        throw new AeadError(
          'invalid-argument',
          `--${flag} is for ${protocols.join(' and ')}, not for ${protocol}`,
        )
      }
    }
    const advice = ADVISE[protocol](await optionsOf(context, given), given)
    const probe = given.probe === true ? await probed(advice, given) : undefined
    output.out(
      given.json === true
        ? jsonText({ ...advice, ...(probe === undefined ? {} : { probe }) })
        : adviceText(advice, probe),
    )
  })
}

/** Flags of this machine say nothing about another one; whether this process requests FIPS still counts. */
const ELSEWHERE = {
  aes: 'unknown',
  clmul: 'unknown',
  hardwareClass: 'unknown',
  source: 'unknown',
  items: [],
} as const

async function optionsOf(context: CliContext, given: Given): Promise<AdviceOptions> {
  const { fips, keyBits, measure, measureBudgetMs, readers, regulation } = selectOptionsOf(
    given as Readonly<Record<string, unknown>>,
  )
  const { hardware, role, speeds } = given
  // What is known of the machine needs no measuring of this one.
  const known = hardware !== undefined || speeds !== undefined
  const { backends } = known ? { backends: [] } : await context.loaded()
  const evidence = await context.observe({
    backends,
    measure: known ? 'never' : measure,
    budgetMs: measureBudgetMs,
    ...(known ? { given: ELSEWHERE } : {}),
  })
  return { evidence, role, hardware, speeds, readers, fips, regulation, keyBits }
}

/** The options of a server are probed as they are; a client's against a server that takes what the client asks first. */
async function probed(advice: ProtocolAdvice, { runtime }: Given): Promise<TlsProbe> {
  const { options, suites } = advice as ReturnType<typeof tlsOptions>
  // What the options would be for, were nothing said.
  const here = tlsOptions().runtime
  if (runtime !== undefined && runtime !== here) {
    return {
      state: 'unavailable',
      runtime,
      reason: `this process runs on ${here}: run the command on ${runtime} to probe it`,
    }
  }
  if (advice.role === 'server') return probeTls({ server: options })
  const clients = Object.values(suites).map((names) => names.filter((name) => !name.includes('-RSA-')))
  return probeTls({
    server: { ciphers: options.ciphers, minVersion: options.minVersion, honorCipherOrder: false },
    clients: clients.filter((order) => order.length > 0),
  })
}

/** The setting first, then everything about it. */
export function adviceText(advice: ProtocolAdvice, probe?: TlsProbe): string {
  const { asOf, ignored, notes, program, reasons, role, rule, source, text } = advice
  return [
    `${colours.bold(`${program}, ${role}`)}\n`,
    text.replace(/^(?=.)/gm, '  '),
    '\n',
    heading('Why'),
    ...reasons.map(bullet),
    ...(ignored.length === 0
      ? []
      : [
          heading('What this runtime does not obey'),
          ...ignored.map(({ option, text: what, version }) => bullet(`${option} in ${version}: ${what}`)),
        ]),
    ...(probe === undefined ? [] : [heading('Probe'), probeText(probe)]),
    heading('What to know'),
    ...notes.map(bullet),
    heading('Source'),
    bullet(`${rule}: ${source}; checked ${asOf}`),
  ].join('')
}

function probeText(probe: TlsProbe): string {
  if (probe.state === 'unavailable') return bullet(`not possible on ${probe.runtime}: ${probe.reason}`)
  const taken = ({ chosen, error }: ProbedOrder['server']): string => chosen ?? `none (${error})`
  return [
    tableText(
      ['version', 'client asks for', 'server takes', 'handshake of this runtime'],
      probe.orders.map(({ handshake, order, server, version }) => [
        version,
        order.map(short).join(', '),
        short(taken(server)),
        short(taken(handshake)),
      ]),
    ),
    ...(probe.ignored.length === 0
      ? [bullet(`${probe.runtime} ${probe.runtimeVersion} obeys every option these handshakes can tell`)]
      : probe.ignored.map(bullet)),
  ].join('')
}

/** The cipher of a suite's name; the rest is the same in every row. */
function short(name: string): string {
  return name.replace(/^TLS_(?:ECDHE_(?:ECDSA|RSA)_WITH_)?/, '').replace(/_SHA(?:256|384)$/, '')
}
