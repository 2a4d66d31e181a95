// Signs deliveries and explains invalid signatures, using the library's code.

import { webhookHeaders } from '../../../typescript/src/generated/contract.ts'
import { digest, encodedText } from '../../../typescript/src/signature.ts'
import { SignatureVerificationError, verifySignature } from '../../../typescript/src/webhooks.ts'
import { now } from '../environment.ts'

export type Delivered = {
  readonly event: { readonly id: string; readonly type: string }
  /** The exact bytes sent, which the signature covers. */
  readonly body: string
  readonly secret: string
  readonly delivery: string
}

export async function signed({ event, body, secret, delivery }: Delivered) {
  const seconds = Math.floor(now() / 1000)
  return {
    [webhookHeaders.signature]: `t=${seconds},v1=${await digest(secret, seconds, encodedText(body))}`,
    [webhookHeaders.event]: event.id,
    [webhookHeaders.type]: event.type,
    [webhookHeaders.delivery]: delivery,
  }
}

/** Returns why the signature isn't valid; undefined if it is. */
export async function faultOf(
  body: Uint8Array,
  header: string,
  secret: string,
  toleranceSeconds: number,
): Promise<SignatureVerificationError | undefined> {
  return verifySignature(body, header, secret, { toleranceSeconds }).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof SignatureVerificationError) return error
      throw error
    },
  )
}
