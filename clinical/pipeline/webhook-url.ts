// Finds faults in a webhook endpoint's URL without a DNS lookup. Registration and every attempt
// check that its host has only public addresses (clinical/webhooks/addresses.ts).
import { faultOfPublicUrl } from '#http/outgoing/public-url.ts'

/** Returns the first fault as a sentence, or null. */
export function faultOfWebhookUrl(text: string): string | null {
  const fault = faultOfPublicUrl(text, 'https://example.com/webhooks')
  return fault === null ? null : `url ${fault}.`
}
