import type { KnownAnswer } from './types.ts'

/** AES-GCM: McGrew and Viega, The Galois/Counter Mode of Operation, Appendix B. XAES-256-GCM: C2SP, Test Vectors. */
export const GCM_ANSWERS: readonly KnownAnswer[] = [
  {
    id: 'McGrew-Viega test case 1',
    algorithm: 'aes-128-gcm',
    key: '00000000000000000000000000000000',
    nonce: '000000000000000000000000',
    aad: '',
    plaintext: '',
    ciphertext: '',
    tag: '58e2fccefa7e3061367f1d57a4e7455a',
  },
  {
    id: 'McGrew-Viega test case 2',
    algorithm: 'aes-128-gcm',
    key: '00000000000000000000000000000000',
    nonce: '000000000000000000000000',
    aad: '',
    plaintext: '00000000000000000000000000000000',
    ciphertext: '0388dace60b6a392f328c2b971b2fe78',
    tag: 'ab6e47d42cec13bdf53a67b21257bddf',
  },
  {
    id: 'McGrew-Viega test case 3',
    algorithm: 'aes-128-gcm',
    key: 'feffe9928665731c6d6a8f9467308308',
    nonce: 'cafebabefacedbaddecaf888',
    aad: '',
    plaintext:
      'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255',
    ciphertext:
      '42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985',
    tag: '4d5c2af327cd64a62cf35abd2ba6fab4',
  },
  {
    id: 'McGrew-Viega test case 4',
    algorithm: 'aes-128-gcm',
    key: 'feffe9928665731c6d6a8f9467308308',
    nonce: 'cafebabefacedbaddecaf888',
    aad: 'feedfacedeadbeeffeedfacedeadbeefabaddad2',
    plaintext:
      'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39',
    ciphertext:
      '42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091',
    tag: '5bc94fbc3221a5db94fae95ae7121a47',
  },
  {
    id: 'McGrew-Viega test case 13',
    algorithm: 'aes-256-gcm',
    key: '0000000000000000000000000000000000000000000000000000000000000000',
    nonce: '000000000000000000000000',
    aad: '',
    plaintext: '',
    ciphertext: '',
    tag: '530f8afbc74536b9a963b4f1c4cb738b',
  },
  {
    id: 'McGrew-Viega test case 14',
    algorithm: 'aes-256-gcm',
    key: '0000000000000000000000000000000000000000000000000000000000000000',
    nonce: '000000000000000000000000',
    aad: '',
    plaintext: '00000000000000000000000000000000',
    ciphertext: 'cea7403d4d606b6e074ec5d3baf39d18',
    tag: 'd0d1c8a799996bf0265b98b5d48ab919',
  },
  {
    id: 'McGrew-Viega test case 15',
    algorithm: 'aes-256-gcm',
    key: 'feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308',
    nonce: 'cafebabefacedbaddecaf888',
    aad: '',
    plaintext:
      'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255',
    ciphertext:
      '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad',
    tag: 'b094dac5d93471bdec1a502270e3cc6c',
  },
  {
    id: 'McGrew-Viega test case 16',
    algorithm: 'aes-256-gcm',
    key: 'feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308',
    nonce: 'cafebabefacedbaddecaf888',
    aad: 'feedfacedeadbeeffeedfacedeadbeefabaddad2',
    plaintext:
      'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39',
    ciphertext:
      '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662',
    tag: '76fc6ece0f4e1768cddf8853bb2d551b',
  },
  {
    id: 'C2SP XAES-256-GCM vector 1',
    algorithm: 'xaes-256-gcm',
    key: '0101010101010101010101010101010101010101010101010101010101010101',
    nonce: '4142434445464748494a4b4c4d4e4f505152535455565758',
    aad: '',
    plaintext: '584145532d3235362d47434d',
    ciphertext: 'ce546ef63c9cc60765923609',
    tag: 'b33a9a1974e96e52daf2fcf7075e2271',
  },
  {
    id: 'C2SP XAES-256-GCM vector 2',
    algorithm: 'xaes-256-gcm',
    key: '0303030303030303030303030303030303030303030303030303030303030303',
    nonce: '4142434445464748494a4b4c4d4e4f505152535455565758',
    aad: '633273702e6f72672f584145532d3235362d47434d',
    plaintext: '584145532d3235362d47434d',
    ciphertext: '986ec1832593df5443a17943',
    tag: '7fd083bf3fdb41abd740a21f71eb769d',
  },
]
