/** The part of sodium-native that the benches call; the package has no types of its own. */
declare module 'sodium-native' {
  const sodium: {
    crypto_aead_chacha20poly1305_ietf_encrypt: AeadFunction
    crypto_aead_chacha20poly1305_ietf_decrypt: AeadOpenFunction
    crypto_aead_xchacha20poly1305_ietf_encrypt: AeadFunction
    crypto_aead_xchacha20poly1305_ietf_decrypt: AeadOpenFunction
  }
  type AeadFunction = (
    out: Uint8Array,
    plaintext: Uint8Array,
    aad: Uint8Array | null,
    secretNonce: null,
    nonce: Uint8Array,
    key: Uint8Array,
  ) => number
  type AeadOpenFunction = (
    out: Uint8Array,
    secretNonce: null,
    sealed: Uint8Array,
    aad: Uint8Array | null,
    nonce: Uint8Array,
    key: Uint8Array,
  ) => number
  export default sodium
}
