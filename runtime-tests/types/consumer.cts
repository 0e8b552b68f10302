// CommonJS consumers reach the packages by require() on Node 20.19 and later, and by import() everywhere.
export async function consume(): Promise<string> {
  const { ALGORITHMS } = await import('@aeadkit/core')
  return ALGORITHMS['aes-256-gcm'].spec
}
