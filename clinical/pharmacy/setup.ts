// The functions the console uses to connect a clinic to its pharmacy.

import { randomBytes } from '#database/clock.ts'
import type { AppContext } from '../pipeline/perform.ts'
import { newSecret } from '../webhooks/secret.ts'
import { secretPurpose } from './connection.ts'

export const pharmacySetup = ({ webhooks, base }: Pick<AppContext, 'webhooks' | 'base'>) => ({
  /** Says what is wrong with an address, or null if it may be requested. */
  faultOf: (url: string) => webhooks.vetUrl(url, 'live'),
  /** A new secret, as it is shown once and as it is stored. */
  secretOf(id: string) {
    const shown = newSecret(randomBytes)
    return { shown, stored: webhooks.encryption.encrypt(secretPurpose(id), shown) }
  },
  /** The URL to which the pharmacy sends updates. */
  updatesUrl: (id: string) => `${base}/pharmacies/${id}/updates`,
})
