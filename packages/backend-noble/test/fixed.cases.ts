/** Fixed values for the known faults of crypto libraries; each answer was computed by two implementations. */
export const hex = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'hex'))
export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

export const K: Uint8Array<ArrayBuffer> = Uint8Array.from({ length: 32 }, (_, i) => (7 * i + 3) & 0xff)
export const N12: Uint8Array<ArrayBuffer> = hex('a0a1a2a3a4a5a6a7a8a9aaab')
export const N16: Uint8Array<ArrayBuffer> = hex('a0a1a2a3a4a5a6a7a8a9aaabacadaeaf')
export const N24: Uint8Array<ArrayBuffer> = Uint8Array.from({ length: 24 }, (_, i) => 0x40 + i)
export const P: Uint8Array<ArrayBuffer> = new TextEncoder().encode('cipher-select probe é')
export const A: Uint8Array<ArrayBuffer> = new TextEncoder().encode('hdr:v1')

export const GCM256 = '18ed0361880f82a671ea4f335e3f9c32744c5a4e534ea582ae4307c466b4644b09f76c8fe980'
export const GCM128 = '8cdadb4f3eee0756a38defd91d8704ac7a048fc68f91a3c299c869fbda4a40ea108ab31977da'
export const GCM256_IV16 = '69bc95beaeaed550f2e8ec232a93c2c7b8d6b7f0eae6420525eaca91a7d870bd3558188778d9'
export const GCM256_EMPTY_A = 'c9e4241abf6dcfb5f733722c84006e97'
export const GCM256_EMPTY = 'b30c41013766fcc6cece1607986b4d90'
export const CHACHA = '2d140abd676b3936a14797f20758bda44ce1222dc48712eeb74fc04bb5ef7aaa4b8c508c8be6'
export const XCHACHA = 'f6263ca033545bf25adf809edf570d7149d2b8e396e46a9313b8c559adc83dfc5af168bd1fb3'
