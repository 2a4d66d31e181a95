// Response fields that the database stores encrypted. They're decrypted in each response and
// replay, so neither a row nor an idempotency record ever contains their plain text.

import type { Mode } from '#contract/operation.ts'
import type { Principal } from '#auth/principal.ts'
import type { Encryption } from '#database/encryption.ts'

type Owner = Pick<Principal, 'mode' | 'integration'>

export const secretPurpose = ({ mode, integration }: Owner) =>
  `webhook secret of ${integration} in ${mode}`
export const tokenPurpose = ({ mode, integration }: Owner) =>
  `realtime token of ${integration} in ${mode}`
export const uploadPurpose = ({ mode, integration }: Owner) =>
  `upload address of ${integration} in ${mode}`
export const answerPurpose = ({ mode, integration }: Owner) =>
  `receiver's answer to ${integration} in ${mode}`

export type EncryptedMember = {
  form: RegExp
  purpose: (owner: Owner) => string
  mayBeLost: boolean
}

export const encryptedSecret: EncryptedMember = {
  form: /"secret":"(sealed\.[\w.-]+)"/g,
  purpose: secretPurpose,
  mayBeLost: false,
}
export const encryptedToken: EncryptedMember = {
  form: /"token":"(sealed\.[\w.-]+)"/g,
  purpose: tokenPurpose,
  mayBeLost: false,
}
/** A signed upload URL is a credential until its reservation expires. */
export const encryptedUpload: EncryptedMember = {
  form: /"upload_url":"(sealed\.[\w.-]+)"/g,
  purpose: uploadPurpose,
  mayBeLost: false,
}
/** JSON escapes quotes within strings, so text from a caller can't match this pattern. */
export const encryptedResponse: EncryptedMember = {
  form: /"response_body":"(sealed\.[\w.-]+)"/g,
  purpose: answerPurpose,
  mayBeLost: true,
}

/** Returns the response with its encrypted field decrypted. */
export function decryptedAnswer(
  encryption: Encryption,
  member: EncryptedMember | undefined,
  { mode, integration }: { mode: Mode; integration: string | null },
  body: string,
): string {
  if (!member) return body
  if (integration === null) throw new Error('the sealed secret has no integration')
  const owner: Owner = { mode, integration }
  return body.replace(member.form, (whole, encrypted: string) => {
    const decrypted = encryption.open(member.purpose(owner), encrypted)
    if (decrypted === null && !member.mayBeLost) throw new Error('no key decrypts a sealed secret')
    return whole.slice(0, whole.indexOf(':') + 1) + JSON.stringify(decrypted)
  })
}
