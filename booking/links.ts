// Signed links that let a person manage a call without an account. The link is the credential: it
// appears in the emails and in the booking's response, and must not be logged. The key is a query
// parameter because the request log contains only parameter names.
import { timingSafeEqual } from 'node:crypto'
import type { CallLinks, KeySource } from '#email/links.ts'

export type Links = CallLinks & {
  /** The page that explains how to move or cancel a call without its link. */
  readonly help: string
  /** The call that a key is for, or null if the key is invalid. Trailing punctuation is ignored,
   *  because programs that turn text into links often include it. */
  read(key: string): LinkTarget | null
}

type LinkTarget = { readonly id: string; readonly source: KeySource }

const signedTexts: Readonly<Record<KeySource, string>> = {
  email: 'a call, by email',
  answer: 'a call',
  dry_run: 'a dry-run call',
}
const sources = Object.keys(signedTexts) as KeySource[]

/** The first secret signs; links signed by an older one remain valid. */
export function openLinks(base: string, newest: string, ...older: readonly string[]): Links {
  const sign = (id: string, source: KeySource, secret = newest): string =>
    new Bun.CryptoHasher('sha256', secret)
      .update(`${signedTexts[source]}, ${id}`)
      .digest('base64url')
      .slice(0, 32)
  const at = (path: string, id: string, source: KeySource = 'email') =>
    `${base}${path}?key=${id}.${sign(id, source)}`
  return {
    times: `${base}/booking/times`,
    help: `${base}/booking/call`,
    call: (id, source) => at('/booking/call', id, source),
    pick: (id, source) => at('/booking/times', id, source),
    cancel: id => at('/booking/cancel', id),
    notMe: id => at('/booking/not-me', id),
    read(key) {
      const [, id = '', signature = ''] =
        /^((?:bkg|clb)_[0-9a-z]{26})\.([\w-]{32})[.,;:!?)\]}>'"’”]*$/.exec(key) ?? []
      if (id === '') return null
      const given = Buffer.from(signature)
      const isBy = (source: KeySource) => (secret: string) =>
        timingSafeEqual(given, Buffer.from(sign(id, source, secret)))
      const source = sources.find(each => [newest, ...older].some(isBy(each)))
      return source === undefined ? null : { id, source }
    },
  }
}
