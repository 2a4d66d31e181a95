// Reads a request's client and secret from Basic or from the body, but not both (RFC 6749, 2.3).

import { OAuthRefusal } from '../refuse.ts'

export type PresentedClient = {
  readonly id: string
  readonly secret: string | null
  readonly usedBasic: boolean
}

export function presentedClient(
  authorization: string | undefined,
  form: URLSearchParams,
): PresentedClient | null {
  const id = form.get('client_id')
  const secret = form.get('client_secret')
  if (authorization === undefined) return id === null ? null : { id, secret, usedBasic: false }
  if (secret !== null || form.has('client_assertion')) {
    throw new OAuthRefusal('invalid_request', 'a client must authenticate with only one method')
  }
  const basic = basicCredentials(authorization)
  if (id !== null && id !== basic.id) {
    throw new OAuthRefusal('invalid_request', 'client_id must match the Authorization header')
  }
  return { ...basic, usedBasic: true }
}

function basicCredentials(authorization: string): { id: string; secret: string } {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1]
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(text) ?? []
  const decoded = [id, secret].map(part => decodedForm(part ?? ''))
  if (decoded[0] === undefined || decoded[1] === undefined || decoded[0] === '') {
    throw new OAuthRefusal(
      'invalid_request',
      'the Authorization header must be Basic, with the ID and secret form-encoded',
    )
  }
  return { id: decoded[0], secret: decoded[1] }
}

/** Undefined if a percent sign isn't followed by two hex digits. */
const decodedForm = (text: string): string | undefined =>
  /%(?![0-9A-Fa-f]{2})/.test(text)
    ? undefined
    : (new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v') ?? undefined)
