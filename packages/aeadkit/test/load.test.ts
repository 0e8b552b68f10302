import { defineSyncBackend, type SyncBackend } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { BACKEND_SOURCES, type BackendSource } from '../src/backends.ts'
import { BACKEND_SOURCES as WEB_SOURCES } from '../src/backends.web.ts'
import { algorithmsAsked, algorithmsStored, loadBackends } from '../src/load.ts'

const names = async (sources: readonly BackendSource[], asked: Parameters<typeof loadBackends>[1]) =>
  (await loadBackends(sources, asked)).backends.map(({ name }) => name)

function stub(name: string): SyncBackend {
  return defineSyncBackend({
    name,
    kind: 'js',
    algorithms: [],
    maxBytes: 1,
    version: () => name,
    probe: () => 'a stub',
    claims: () => ({
      constantTime: { level: 'unknown', basis: 'a stub', asOf: '2026-11-30' },
      oneShot: true,
      fipsModule: 'off',
    }),
    create: () => {
      throw new Error('a stub')
    },
  })
}

describe('which backends load', () => {
  it('on Node: libsodium only for AEGIS, WebCrypto only when all are asked for, noble last', async () => {
    expect((await names(BACKEND_SOURCES, 'all')).filter((name) => name !== 'wasm')).toEqual([
      'node',
      'sodium',
      'webcrypto',
      'noble',
    ])
    for (const asked of [[], ['aes-256-gcm'], ['xchacha20-poly1305']] as const) {
      const loaded = await names(BACKEND_SOURCES, asked)
      expect(loaded).not.toContain('sodium')
      expect(loaded).not.toContain('webcrypto')
      expect([loaded[0], loaded.at(-1)]).toEqual(['node', 'noble'])
    }
    expect(await names(BACKEND_SOURCES, ['aegis-256'])).toContain('sodium')
  })
  it('elsewhere: WebCrypto always, libsodium only for AEGIS, noble last', async () => {
    const loaded = await names(WEB_SOURCES, [])
    expect(loaded.filter((name) => name !== 'wasm')).toEqual(['webcrypto', 'noble'])
    expect(await names(WEB_SOURCES, ['aegis-128l'])).toContain('sodium')
  })
  it('asks for what the options or the stored selection name', () => {
    expect(algorithmsAsked({})).toEqual([])
    expect(algorithmsAsked({ algorithm: 'aegis-128l' })).toEqual(['aegis-128l'])
    expect(algorithmsAsked({ optIn: { aegis: true } })).toContain('aegis-256')
    expect(algorithmsAsked({ optIn: { approvedComposition: true } })).toEqual([])
    expect(algorithmsStored('{"algorithm":"aegis-256"}')).toEqual(['aegis-256'])
    for (const bad of ['', 'null', '[]', '{"algorithm":"toString"}'])
      expect(algorithmsStored(bad)).toEqual([])
  })
  it('loads each once, tries a failed one again, and goes on without it (R29)', async () => {
    let loads = 0
    let broken = true
    const good: BackendSource = {
      name: 'good',
      load: async () => {
        loads++
        return stub('good')
      },
    }
    const bad: BackendSource = {
      name: 'bad',
      load: async () => {
        if (broken) throw Object.assign(new Error('no such file'), { code: 'ERR_MODULE_NOT_FOUND' })
        return stub('bad')
      },
    }
    const first = await loadBackends([bad, good])
    expect(first.backends.map(({ name }) => name)).toEqual(['good'])
    expect(first.unavailable).toEqual([{ name: 'bad', reason: 'Error: no such file' }])
    broken = false
    const second = await loadBackends([bad, good])
    expect(second.backends.map(({ name }) => name)).toEqual(['bad', 'good'])
    expect(second.backends[1]).toBe(first.backends[0])
    expect(loads).toBe(1)
    await expect(loadBackends([])).rejects.toMatchObject({ code: 'unsupported' })
  })
})
