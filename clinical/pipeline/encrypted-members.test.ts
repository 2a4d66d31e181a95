// Responses with an encrypted field, including when its key is no longer configured.
import { describe, expect, test } from 'bun:test'
import { createEncryption } from '#database/encryption.ts'
import {
  decryptedAnswer,
  encryptedResponse,
  encryptedSecret,
  encryptedToken,
  encryptedUpload,
} from './encrypted-members.ts'

const owner = { mode: 'test', integration: 'int_01m85p94en7qnm0pmb4fbwd87p' } as const
const [ours, lost] = [createEncryption(['ours']), createEncryption(['lost'])]

describe.each([
  ['secret', encryptedSecret],
  ['token', encryptedToken],
  ['upload_url', encryptedUpload],
  ['response_body', encryptedResponse],
])('%s', (name, member) => {
  const bodyOf = (value: unknown) => JSON.stringify({ id: 'x', [name]: value, after: 1 })
  const sealed = ours.encrypt(member.purpose(owner), 'a "quoted" value')

  test('is decrypted in place', () => {
    expect(decryptedAnswer(ours, member, owner, bodyOf(sealed))).toBe(bodyOf('a "quoted" value'))
  })
  test('isn’t decrypted for another integration or mode', () => {
    for (const other of [
      { ...owner, mode: 'live' as const },
      { ...owner, integration: 'int_01m85p94en7qnm0pmb4fbwd87q' },
    ]) {
      const answer = () => decryptedAnswer(ours, member, other, bodyOf(sealed))
      if (member === encryptedResponse) expect(answer()).toBe(bodyOf(null))
      else expect(answer).toThrow('no key decrypts')
    }
  })
  test('fails the response if its key is missing, except for a receiver’s response', () => {
    const answer = () => decryptedAnswer(lost, member, owner, bodyOf(sealed))
    if (member === encryptedResponse) expect(answer()).toBe(bodyOf(null))
    else expect(answer).toThrow('no key decrypts')
  })
  test('is refused without an integration', () => {
    const unknown = { ...owner, integration: null }
    expect(() => decryptedAnswer(ours, member, unknown, bodyOf(sealed))).toThrow('no integration')
  })
})
