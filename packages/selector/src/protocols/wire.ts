/** Sockets of the probe: everything opened here is closed here, and nothing waits past the clock. */
import { clientHelloOf, readClientSuites, readServerAnswer } from './hello.ts'
import type { TlsModules, TlsServer, TlsSocket } from './modules.ts'
import type { TlsVersion } from './options.ts'
import { type Suite, suiteOfCode } from './suites.ts'

/** What came of one attempt. */
export interface Answer {
  /** IANA name of the suite taken, or `null`. */
  readonly chosen: string | null
  /** Why there is none: `alert 40` and such of the server, an error code, `no TLS`, or `out of time`. */
  readonly error?: string
}

/** How long one attempt may take. */
export interface Clock {
  /** Milliseconds for the next attempt; 0 when the time is up. */
  left(): number
}

/** Most milliseconds of one attempt, so that one that hangs leaves time to the others. */
const ATTEMPT_MS = 3000

/** A clock that is up after so many milliseconds. */
export function createClock(totalMs: number): Clock {
  const end = performance.now() + totalMs
  return { left: () => Math.max(0, Math.min(ATTEMPT_MS, end - performance.now())) }
}

/** A server that listens. */
export interface Listening {
  readonly state: 'listening'
  readonly port: number
}

const HOST = '127.0.0.1'
const OUT_OF_TIME: Answer = { chosen: null, error: 'out of time' }

function failed(error: unknown): Answer {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const text = typeof code === 'string' ? code : typeof message === 'string' ? message : 'failed'
  return { chosen: null, error: text.slice(0, 200) }
}

const nameOf = (code: number): string => suiteOfCode(code)?.name ?? `0x${code.toString(16).padStart(4, '0')}`

/** Servers and sockets of one probe. */
export class Session {
  readonly #modules: TlsModules
  readonly #clock: Clock
  readonly #sockets = new Set<TlsSocket>()
  readonly #servers = new Set<TlsServer>()
  #closed = false

  constructor(modules: TlsModules, clock: Clock) {
    this.#modules = modules
    this.#clock = clock
  }

  /** Runs one attempt; whatever comes first decides: an answer, an error, the clock. */
  #attempt<T>(late: T, run: (done: (value: T) => void) => void, fail: (error: unknown) => T): Promise<T> {
    const left = this.#clock.left()
    if (left === 0) return Promise.resolve(late)
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(late), left)
      const done = (value: T): void => {
        clearTimeout(timer)
        resolve(value)
      }
      try {
        run(done)
      } catch (error) {
        done(fail(error))
      }
    })
  }

  #keep(socket: TlsSocket): TlsSocket {
    this.#sockets.add(socket)
    if (this.#closed) socket.destroy()
    // Every socket ends by a reset of one side or the other.
    socket.on('error', () => undefined)
    return socket
  }

  /** Starts a TLS server on a free port of loopback. */
  serve(options: object): Promise<Listening | { readonly state: 'failed'; readonly reason: string }> {
    return this.#listen(() => {
      const server = this.#modules.tls.createServer(options, (socket) => this.#keep(socket))
      server.on('connection', (socket: TlsSocket) => this.#keep(socket))
      server.on('tlsClientError', (_error: unknown) => undefined)
      return server
    })
  }

  #listen(
    create: () => TlsServer,
  ): Promise<Listening | { readonly state: 'failed'; readonly reason: string }> {
    const failure = (reason: string) => ({ state: 'failed', reason }) as const
    return this.#attempt<Listening | ReturnType<typeof failure>>(
      failure('the server did not start in time'),
      (done) => {
        const server = create()
        this.#servers.add(server)
        server.on('error', (error: unknown) => done(failure(`no server: ${failed(error).error}`)))
        server.listen(0, HOST, () => {
          // A server that listens after the probe was over would keep the process alive.
          if (this.#closed) server.close()
          const address = server.address()
          if (typeof address === 'object' && address !== null) {
            done({ state: 'listening', port: address.port })
          } else done(failure('the server has no port'))
        })
      },
      (error) => failure(`no server: ${failed(error).error}`),
    )
  }

  /** Sends a hello with exactly these suites and reads what the server takes. */
  hello({ port }: Listening, version: TlsVersion, suites: readonly Suite[]): Promise<Answer> {
    return this.#attempt<Answer>(
      OUT_OF_TIME,
      (done) => {
        let stream = new Uint8Array()
        const socket = this.#modules.net.connect({ host: HOST, port }, () => {
          socket.write(
            clientHelloOf(
              version,
              suites.flatMap(({ code }) => code ?? []),
            ),
          )
        })
        this.#keep(socket)
        socket.on('error', (error: unknown) => done(failed(error)))
        socket.on('close', () => done({ chosen: null, error: 'closed' }))
        socket.on('data', (data: Uint8Array) => {
          stream = joined(stream, data)
          const answer = readServerAnswer(stream)
          if (answer === undefined) return
          done(
            'code' in answer
              ? { chosen: nameOf(answer.code) }
              : { chosen: null, error: answer.alert < 0 ? 'no TLS' : `alert ${answer.alert}` },
          )
          socket.destroy()
        })
      },
      failed,
    )
  }

  /** Makes a whole handshake with the runtime's own client. */
  handshake({ port }: Listening, version: TlsVersion, suites: readonly Suite[]): Promise<Answer> {
    return this.#attempt<Answer>(
      OUT_OF_TIME,
      (done) => {
        const socket = this.#modules.tls.connect(
          { host: HOST, port, ...clientOptions(version, suites) },
          () => {
            const cipher = socket.getCipher?.()
            const name = cipher?.standardName ?? cipher?.name
            done(name === undefined ? { chosen: null, error: 'the runtime does not tell' } : { chosen: name })
            socket.destroy()
          },
        )
        this.#keep(socket)
        socket.on('error', (error: unknown) => done(failed(error)))
        socket.on('close', () => done({ chosen: null, error: 'closed' }))
      },
      failed,
    )
  }

  /** What the runtime's client lists when it is given these suites; only those the table knows for the version. */
  async clientHello(version: TlsVersion, suites: readonly Suite[]): Promise<readonly string[] | null> {
    let seen: (codes: readonly number[]) => void = () => undefined
    const listening = await this.#listen(() =>
      this.#modules.net.createServer((socket) => {
        let stream = new Uint8Array()
        this.#keep(socket)
        socket.on('data', (data: Uint8Array) => {
          stream = joined(stream, data)
          const codes = readClientSuites(stream)
          if (codes === undefined) return
          seen(codes)
          socket.destroy()
        })
      }),
    )
    if (listening.state === 'failed') return null
    const codes = await this.#attempt<readonly number[] | null>(
      null,
      (done) => {
        seen = done
        const { port } = listening
        const options = { host: HOST, port, ...clientOptions(version, suites) }
        this.#keep(this.#modules.tls.connect(options, () => undefined))
      },
      () => null,
    )
    const protocol = version === 'TLSv1.3' ? 'tls1.3' : 'tls1.2'
    // A client that gives up at once sends an alert, and no hello.
    if (codes === null || codes.length === 0) return null
    return codes.flatMap((code) => {
      const suite = suiteOfCode(code)
      return suite?.protocol === protocol ? [suite.name] : []
    })
  }

  /** Ends everything that is still open. */
  close(): void {
    this.#closed = true
    for (const socket of this.#sockets) socket.destroy()
    for (const server of this.#servers) {
      try {
        server.close()
      } catch {
        // It never listened.
      }
    }
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(a.length + b.length)
  out.set(a)
  out.set(b, a.length)
  return out
}

function clientOptions(version: TlsVersion, suites: readonly Suite[]): object {
  return {
    ciphers: suites.map(({ openssl }) => openssl).join(':'),
    minVersion: version,
    maxVersion: version,
    // The certificate is thrown away, and only the suite is asked for.
    rejectUnauthorized: false,
  }
}
