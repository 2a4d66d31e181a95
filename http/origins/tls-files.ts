// A listener's certificate and key files. A renewed certificate takes effect at the next start.
import { readFileSync } from 'node:fs'
import { tlsCiphers } from './strict-transport.ts'

export type TlsFiles = { readonly certificate: string; readonly key: string }

/** Reads both files once, when a listener opens. Throws for an unreadable file, so the start
 *  fails. */
export const readTls = ({ certificate, key }: TlsFiles) => ({
  cert: readFileSync(certificate, 'utf8'),
  key: readFileSync(key, 'utf8'),
  ciphers: tlsCiphers,
})
