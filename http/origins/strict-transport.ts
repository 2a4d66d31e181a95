// The TLS rules of every origin, in our listeners and in the files for servers in front of them.

/** From the first answer on, a browser asks for the host over TLS only, for two years. */
export const strictTransport = {
  name: 'strict-transport-security',
  value: 'max-age=63072000',
} as const

/** The TLS 1.2 ciphers with forward secrecy and authenticated encryption. TLS 1.3 has no others. */
export const tlsCiphers = 'ECDHE+AESGCM:ECDHE+CHACHA20'
