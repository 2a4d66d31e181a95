// What every origin promises of TLS, in our listeners and in the files of servers in front of them.

/** From the first answer on, a browser asks for the host over TLS only, for two years. */
export const strictTransport = {
  name: 'strict-transport-security',
  value: 'max-age=63072000',
} as const

/** Of TLS 1.2 what has forward secrecy and authenticates what it encrypts; TLS 1.3 has no other. */
export const tlsCiphers = 'ECDHE+AESGCM:ECDHE+CHACHA20'
