/** States of the FIPS matrix that a program can be put into: without OpenSSL no provider can be loaded. */
export const STATES = {
  openssl: ['no provider', 'setFips without provider', 'real provider'],
  other: ['no provider', 'setFips without provider'],
}
