// Consent methods that make several requests.

import type { Result } from './call.ts'
import { keyed } from './errors.ts'
import { ConsentsResource } from './generated/resources/consents.ts'
import type { Consent } from './generated/schemas/patients.ts'
import { remainingOf, type WriteOptions } from './options.ts'
import { uuid } from './runtime.ts'

export class Consents extends ConsentsResource {
  /**
   * Records both consents that a case requires, each with the document version the patient saw.
   * Both requests derive their keys from `idempotencyKey`, so repeating the call with the same key,
   * which an error has, records nothing twice.
   */
  async recordBoth(
    patientId: string,
    versions: { telehealth: string; privacy: string; accepted_at?: string },
    { idempotencyKey = uuid(), ...options }: WriteOptions = {},
  ): Promise<{ telehealth: Result<Consent>; privacy: Result<Consent> }> {
    const remaining = remainingOf(options, this.transport.settings.call)
    const record = (kind: 'telehealth' | 'privacy') => {
      const at = versions.accepted_at === undefined ? {} : { accepted_at: versions.accepted_at }
      const key = `${idempotencyKey}-${kind}`
      const params = { kind, version: versions[kind], ...at }
      return this.record(patientId, params, { ...remaining(), idempotencyKey: key })
    }
    const both = async () => ({
      telehealth: await record('telehealth'),
      privacy: await record('privacy'),
    })
    return keyed(idempotencyKey, both())
  }
}
