// Adds the client's address to request log lines, if LOG_ADDRESSES is set. An address is personal
// data, so by default the log contains none.
import type { Log } from './log.ts'

export type AddressForm = 'none' | 'hashed' | 'plain'

/** With `hashed`, a client keeps its hash until the key changes, and the hash doesn't reveal the
 *  address. */
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
