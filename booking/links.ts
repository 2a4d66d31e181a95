// The links that let somebody act on a call without an account: its id, signed. Whoever has the
// link has the right, so it goes into mail and to whoever booked, and into no log: a key travels in
// the query, of which the log keeps the names alone.
import { timingSafeEqual } from 'node:crypto'

export type Links = {
  /** Where times are, for everybody. */
  readonly times: string
  /** Where somebody reads how to move or cancel a call whose link they do not hold. */
  readonly help: string
  /** The page of one call, where its person picks a time, moves or cancels. */
  call(id: string, dryRunNotice?: boolean): string
  pick(id: string): string
  cancel(id: string): string
  notMe(id: string): string
  /** What a key opens, or null when it opens nothing. */
  read(key: string): Opened | null
}

export type Opened = { readonly id: string; readonly dryRunNotice: boolean }

export function openLinks(base: string, secret: string): Links {
  const sign = (id: string, dryRunNotice: boolean): string =>
    new Bun.CryptoHasher('sha256', secret)
      .update(`${dryRunNotice ? 'a rehearsed' : 'a'} call, ${id}`)
      .digest('base64url')
      .slice(0, 32)
  const keyOf = (id: string, dryRunNotice = false) => `${id}.${sign(id, dryRunNotice)}`
  const at = (path: string, id: string) => `${base}${path}?key=${keyOf(id)}`
  return {
    times: `${base}/booking/times`,
    help: `${base}/booking/call`,
    call: (id, dryRunNotice = false) => `${base}/booking/call?key=${keyOf(id, dryRunNotice)}`,
    pick: id => at('/booking/times', id),
    cancel: id => at('/booking/cancel', id),
    notMe: id => at('/booking/not-me', id),
    read(key) {
      const [, id = '', mark = ''] = /^((?:bkg|clb)_[0-9a-z]{26})\.([\w-]{32})$/.exec(key) ?? []
      if (id === '') return null
      const isMarked = (dryRunNotice: boolean) =>
        timingSafeEqual(Buffer.from(mark), Buffer.from(sign(id, dryRunNotice)))
      if (isMarked(false)) return { id, dryRunNotice: false }
      return isMarked(true) ? { id, dryRunNotice: true } : null
    },
  }
}
