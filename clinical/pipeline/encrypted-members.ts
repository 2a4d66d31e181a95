// Members of an answer that the database holds sealed. They are opened as the answer leaves, the
// first time and at every replay, so that neither a row nor the record of a key ever holds them
// plainly.

import type { OperationId } from '#contract/api.ts'
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

type Encrypted = { form: RegExp; purpose: (owner: Owner) => string; mayBeLost: boolean }

const secret: Encrypted = {
  form: /"secret":"(sealed\.[\w.-]+)"/g,
  purpose: secretPurpose,
  mayBeLost: false,
}
const token: Encrypted = {
  form: /"token":"(sealed\.[\w.-]+)"/g,
  purpose: tokenPurpose,
  mayBeLost: false,
}
/** A signed address is a credential for as long as its reservation lives. */
const upload: Encrypted = {
  form: /"upload_url":"(sealed\.[\w.-]+)"/g,
  purpose: uploadPurpose,
  mayBeLost: false,
}
/** A quote inside of a text is escaped, so nothing that a caller wrote has that form. */
const answered: Encrypted = {
  form: /"response_body":"(sealed\.[\w.-]+)"/g,
  purpose: answerPurpose,
  mayBeLost: true,
}

const sealedIn: Partial<Record<OperationId, Encrypted>> = {
  createWebhookEndpoint: secret,
  rotateWebhookSecret: secret,
  listDeliveries: answered,
  createRealtimeToken: token,
  createFile: upload,
}

/** The answer as its caller sees it. */
export function decryptedAnswer(
  encryption: Encryption,
  operation: OperationId,
  owner: Owner,
  body: string,
): string {
  const member = sealedIn[operation]
  if (!member) return body
  return body.replace(member.form, (whole, encrypted: string) => {
    const opened = encryption.open(member.purpose(owner), encrypted)
    if (opened === null && !member.mayBeLost) throw new Error('no key opens a sealed secret')
    return whole.slice(0, whole.indexOf(':') + 1) + JSON.stringify(opened)
  })
}
