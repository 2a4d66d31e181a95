// Tests which client a request names, in Basic or in the body but never in both.

import { expect, test } from 'bun:test'
import { OAuthRefusal } from '../refuse.ts'
import { presentedClient } from './client-authentication.ts'

const presented = (authorization: string | undefined, form: Record<string, string> = {}) => {
  try {
    return presentedClient(authorization, new URLSearchParams(form))
  } catch (failure) {
    if (failure instanceof OAuthRefusal) return `${failure.code}: ${failure.description}`
    throw failure
  }
}
const basic = (text: string) => `Basic ${btoa(text)}`

test('the body can name a client, with or without a secret', () => {
  expect(presented(undefined)).toBeNull()
  expect(presented(undefined, { client_secret: 's' })).toBeNull()
  const known = { client_id: 'cli_1' }
  expect(presented(undefined, known)).toEqual({ id: 'cli_1', secret: null, usedBasic: false })
  expect(presented(undefined, { ...known, client_secret: 's' })).toEqual({
    id: 'cli_1',
    secret: 's',
    usedBasic: false,
  })
})

test.each<[header: string, id: string, secret: string]>([
  [basic('cli_1:s'), 'cli_1', 's'],
  [basic('cli_1:s').replace('Basic', 'BASIC  '), 'cli_1', 's'],
  [basic('cli_1:a:b'), 'cli_1', 'a:b'],
  [basic('cli_1:'), 'cli_1', ''],
  [basic('cli_1:a%3Ab+c%25'), 'cli_1', 'a:b c%'],
  [basic('cli_1:a&v=b'), 'cli_1', 'a&v=b'],
])('a client is named by the header %j', (header, id, secret) => {
  const client = { id, secret, usedBasic: true }
  expect(presented(header)).toEqual(client)
  expect(presented(header, { client_id: id })).toEqual(client)
})

const noBasic =
  'invalid_request: the Authorization header must be Basic, with the ID and secret form-encoded'
const both = 'invalid_request: a client must authenticate with only one method'
const other = 'invalid_request: client_id must match the Authorization header'

test.each<[header: string, form: Record<string, string>, refusal: string]>([
  ['Bearer x', {}, noBasic],
  ['Basic', {}, noBasic],
  ['Basic !!!', {}, noBasic],
  [basic('no colon'), {}, noBasic],
  [basic(':secret'), {}, noBasic],
  [basic('%zz:s'), {}, noBasic],
  [basic('cli_1:%zz'), {}, noBasic],
  [basic('cli_1:s'), { client_secret: 's' }, both],
  [basic('cli_1:s'), { client_assertion: 'x' }, both],
  [basic('cli_1:s'), { client_id: 'cli_2' }, other],
])('the header %j is refused together with %j', (header, form, refusal) => {
  expect(presented(header, form)).toBe(refusal)
})
