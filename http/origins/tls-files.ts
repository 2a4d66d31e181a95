// The certificate and the key of a listener, which are files: a renewed
// one is read at the next start.
import { readFileSync } from 'node:fs'
import { tlsCiphers } from './strict-transport.ts'

export type TlsFiles = { readonly certificate: string; readonly key: string }

/** Read once, when a listener opens; a file that cannot be read stops the start. */
export const readTls = ({ certificate, key }: TlsFiles) => ({
  cert: readFileSync(certificate, 'utf8'),
  key: readFileSync(key, 'utf8'),
  ciphers: tlsCiphers,
})
