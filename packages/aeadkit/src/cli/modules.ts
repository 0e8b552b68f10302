import type { Evidence } from '@aeadkit/core'

/** Why no FIPS module can be in force on a runtime, or `undefined` where one can: providers are OpenSSL's. */
export function withoutModules({ items, runtime }: Pick<Evidence, 'items' | 'runtime'>): string | undefined {
  const boring = items.some(({ name, value }) => name === 'library.boringssl' && value === 'yes')
  if (runtime !== 'node') return `${runtime} has no FIPS module: only Node with OpenSSL loads a FIPS provider`
  return boring
    ? 'this node has no FIPS module: its library is BoringSSL, which loads no provider'
    : undefined
}
