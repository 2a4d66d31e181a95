// Signed links with which a person manages a call without an account. The link is the credential:
// it is in the emails and in the answer to the booking, and must not be logged. The key is a query
// parameter because the request log contains only parameter names.
import { timingSafeEqual } from 'node:crypto'

export type Links = {
  /** The public page of free times. */
  readonly times: string
  /** The page that explains how to move or cancel a call without its link. */
  readonly help: string
  /** The page of one call, where the person picks a time, moves or cancels. */
  call(id: string, isDryRun?: boolean): string
  pick(id: string): string
  cancel(id: string): string
  notMe(id: string): string
  /** The call that a key is for, or null if the key is invalid. */
  read(key: string): LinkTarget | null
}

type LinkTarget = { readonly id: string; readonly isDryRun: boolean }

export function openLinks(base: string, secret: string): Links {
  const sign = (id: string, isDryRun: boolean): string =>
    new Bun.CryptoHasher('sha256', secret)
      .update(`${isDryRun ? 'a dry-run' : 'a'} call, ${id}`)
      .digest('base64url')
      .slice(0, 32)
  const keyOf = (id: string, isDryRun = false) => `${id}.${sign(id, isDryRun)}`
  const at = (path: string, id: string) => `${base}${path}?key=${keyOf(id)}`
  return {
    times: `${base}/booking/times`,
    help: `${base}/booking/call`,
    call: (id, isDryRun = false) => `${base}/booking/call?key=${keyOf(id, isDryRun)}`,
    pick: id => at('/booking/times', id),
    cancel: id => at('/booking/cancel', id),
    notMe: id => at('/booking/not-me', id),
    read(key) {
      const [, id = '', signature = ''] =
        /^((?:bkg|clb)_[0-9a-z]{26})\.([\w-]{32})$/.exec(key) ?? []
      if (id === '') return null
      const isSigned = (isDryRun: boolean) =>
        timingSafeEqual(Buffer.from(signature), Buffer.from(sign(id, isDryRun)))
      if (isSigned(false)) return { id, isDryRun: false }
      return isSigned(true) ? { id, isDryRun: true } : null
    },
  }
}
