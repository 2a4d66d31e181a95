import { expect, test } from 'bun:test'
import type { PersonLink } from '#email/links.ts'
import { openPersonLinks } from './links.ts'

const id = 'rcv_01m8250pezs82s3r3dd67hn070'
const origin = 'https://auth.example.com'
const links = openPersonLinks(origin, ['a pepper'])
const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? ''

const kinds: PersonLink[] = ['sign_up', 'invitation', 'recovery', 'cancel_recovery']

test.each(kinds)('a link works for only one purpose: %s', what => {
  const link = links.to(what, id)
  expect(link).toStartWith(`${origin}/`)
  for (const other of kinds) {
    expect(links.read(other, tokenOf(link))).toBe(other === what ? id : null)
  }
})

test('a link with a changed ID, signature or format is invalid, as is one from another pepper', () => {
  const token = tokenOf(links.to('recovery', id))
  const [, signature = ''] = token.split('.')
  const forged = openPersonLinks(origin, ['another pepper']).to('recovery', id)
  const last = signature.endsWith('A') ? 'B' : 'A'
  const changed = [
    `rcv_01m8250pezs82s3r3dd67hn071.${signature}`,
    `${id}.${signature.slice(0, -1)}${last}`,
    `${id}.`,
    `${token} `,
    signature,
    '',
    null,
    tokenOf(forged),
  ]
  for (const each of changed) expect([each, links.read('recovery', each)]).toEqual([each, null])
})

test('while a pepper is replaced, links under both work, and new links use the newest', () => {
  const both = openPersonLinks(origin, ['the newest', 'a pepper'])
  const old = tokenOf(links.to('sign_up', id))
  expect(both.read('sign_up', old)).toBe(id)
  const newest = tokenOf(both.to('sign_up', id))
  expect(links.read('sign_up', newest)).toBeNull()
  expect(openPersonLinks(origin, ['the newest']).read('sign_up', newest)).toBe(id)
})
