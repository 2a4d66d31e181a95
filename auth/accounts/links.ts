// Links in emails to people. A link contains its row's ID, signed with a secret that isn't in the
// database, so no table or queued email contains a usable link. The row limits how many times and
// how long the link works.
import { timingSafeEqual } from 'node:crypto'
import type { PersonLink, PersonLinks } from '#email/links.ts'

const paths = {
  sign_up: '/verify-email',
  invitation: '/invitations/accept',
  recovery: '/recover/account',
  cancel_recovery: '/recover/cancel',
} as const satisfies Record<PersonLink, string>

export type AccountLinks = PersonLinks & {
  /** The ID in a link's token, or null if we didn't sign it. */
  read(what: PersonLink, token: string | null): string | null
}

/** The first pepper signs; links signed with an older pepper remain valid. */
export function openPersonLinks(
  origin: string,
  peppers: readonly [string, ...string[]],
): AccountLinks {
  const sign = (what: PersonLink, id: string, pepper: string = peppers[0]) =>
    new Bun.CryptoHasher('sha256', pepper)
      .update(`link of an email to a person: ${what} ${id}`)
      .digest('base64url')
  return {
    origin,
    to: (what, id) => `${origin}${paths[what]}?token=${id}.${sign(what, id)}`,
    read(what, token) {
      const [, id = '', signature = ''] =
        /^([a-z]+_[0-9a-z]{26})\.([\w-]{43})$/.exec(token ?? '') ?? []
      const given = Buffer.from(signature)
      const isBy = (pepper: string) => {
        const expected = Buffer.from(sign(what, id, pepper))
        return expected.length === given.length && timingSafeEqual(expected, given)
      }
      return id !== '' && peppers.some(isBy) ? id : null
    },
  }
}
