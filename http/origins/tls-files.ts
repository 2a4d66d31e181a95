// A listener's certificate and key files. A renewed certificate is read at the next start.
import { readFileSync } from 'node:fs'
import { tlsCiphers } from './strict-transport.ts'

export type TlsFiles = { readonly certificate: string; readonly key: string }

/** Read once, when a listener opens; an unreadable file stops the start. */
export const readTls = ({ certificate, key }: TlsFiles) => ({
  cert: readFileSync(certificate, 'utf8'),
  key: readFileSync(key, 'utf8'),
  ciphers: tlsCiphers,
})
