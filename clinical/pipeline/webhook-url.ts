// What is wrong with the URL of a webhook endpoint, decided without a look-up. That its host has
// public addresses only is checked when it is registered and before every attempt
// (webhooks/delivery/addresses.ts).
import { faultOfPublicUrl } from '#http/outgoing/public-url.ts'

/** The first fault as a sentence; null when there is none. */
export function faultOfWebhookUrl(text: string): string | null {
  const fault = faultOfPublicUrl(text, 'https://example.com/webhooks')
  return fault === null ? null : `url ${fault}.`
}
