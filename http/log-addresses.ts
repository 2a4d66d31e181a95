// The client's address in a request's log line, by the setting LOG_ADDRESSES. An address is
// personal data, so a log has none unless an operator wants it.
import type { Log } from './log.ts'

export type AddressForm = 'none' | 'hashed' | 'plain'

/** `hashed`: a client has the same hash while the key stays, and the hash doesn't reveal the
 *  client. */
export function withAddresses(log: Log, form: AddressForm, key: string): Log {
  if (form === 'none') return log
  const shown = (address: string) =>
    form === 'plain'
      ? address
      : new Bun.CryptoHasher('sha256', `addresses of ${key}`)
          .update(address)
          .digest('hex')
          .slice(0, 12)
  return {
    ...log,
    readsAddress: true,
    request({ address, ...answered }) {
      const client = address ? { client: shown(address) } : {}
      log.request({ ...answered, fields: { ...answered.fields, ...client } })
    },
  }
}
