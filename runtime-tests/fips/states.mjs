/** States of the FIPS matrix that a program can be put into: without OpenSSL no provider can be loaded or feigned. */
export const STATES = {
  // Those of internal/fips, in its order; written out because this is read before anything is built.
  openssl: [
    'no provider',
    'setFips without provider',
    'flag without ChaCha20-Poly1305',
    'flag without MD5',
    'real provider',
  ],
  other: ['no provider', 'setFips without provider'],
}
