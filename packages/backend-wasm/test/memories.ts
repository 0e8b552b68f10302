/** Runs `body` and returns the memory of every WebAssembly instance made meanwhile. */
export function memoriesDuring(body: () => void): Uint8Array[] {
  const memories: Uint8Array[] = []
  const Original = WebAssembly.Instance
  WebAssembly.Instance = new Proxy(Original, {
    construct(target, args) {
      const instance = Reflect.construct(target, args) as WebAssembly.Instance
      memories.push(new Uint8Array((instance.exports.memory as WebAssembly.Memory).buffer))
      return instance
    },
  })
  try {
    body()
  } finally {
    WebAssembly.Instance = Original
  }
  return memories
}
