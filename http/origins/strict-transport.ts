// TLS rules for every origin, used by our listeners and by the configuration of servers in front of
// them.

/** After one response with this header, browsers use only TLS for the host, for two years. */
export const strictTransport = {
  name: 'strict-transport-security',
  value: 'max-age=63072000',
} as const

/** The TLS 1.2 ciphers with forward secrecy and authenticated encryption. All TLS 1.3 ciphers have
 *  both properties. */
export const tlsCiphers = 'ECDHE+AESGCM:ECDHE+CHACHA20'
