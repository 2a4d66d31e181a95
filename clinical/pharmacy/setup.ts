// The functions the console uses to connect a clinic to its pharmacy.

import { randomBytes } from '#database/clock.ts'
import type { AppContext } from '../pipeline/perform.ts'
import { newSecret } from '../webhooks/secret.ts'
import { secretPurpose } from './connection.ts'

export const pharmacySetup = ({ webhooks, base }: Pick<AppContext, 'webhooks' | 'base'>) => ({
  /** Returns what's wrong with an address, or null if requests may go there. */
  faultOf: (url: string) => webhooks.vetUrl(url, 'live'),
  /** Returns a new secret, as shown once and as stored. */
  secretOf(id: string) {
    const shown = newSecret(randomBytes)
    return { shown, stored: webhooks.encryption.encrypt(secretPurpose(id), shown) }
  },
  /** The URL where the pharmacy sends updates. */
  updatesUrl: (id: string) => `${base}/pharmacies/${id}/updates`,
})
