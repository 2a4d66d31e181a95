// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { CallOptions } from '../../options.ts'
import { call, Resource } from '../../resource.ts'
import type { Organization } from '../schemas/organization.ts'

export class OrganizationResource extends Resource {
  /**
   * Read the organization you act for, and your scopes there.
   *
   * Scope: `organization:read`.
   *
   * @example
   * ```ts
   * await svc.organization.get()
   * ```
   */
  get(options?: CallOptions): Call<Organization> {
    return call(this.transport, { method: 'GET', path: '/v1/organization', options })
  }
}
