// Generated from the contract by clients/generate/generate.ts; do not edit.

import type { Call } from '../../call.ts'
import type { CallOptions } from '../../options.ts'
import { Resource } from '../../resource.ts'
import type { Organization } from '../schemas/organization.ts'

export class OrganizationResource extends Resource {
  /**
   * Read the organization you act for and your scopes there.
   *
   * Scope: `organization:read`.
   *
   * @example
   * ```ts
   * await svc.organization.get()
   * ```
   */
  get(options?: CallOptions): Call<Organization> {
    return this.request('GET /organization', [], undefined, options)
  }
}
