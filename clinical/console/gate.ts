// The console's gate checks role, then second factor, then whether the clinic has the resource. A
// refusal discloses only which check failed.

import { type ConsoleOperation, consoleLimits, isOpenTo } from '#contract/console/row.ts'
import { pathNames } from '#contract/operation.ts'
import { Problem } from '#contract/problems.ts'
import type { StaffCaller } from '#auth/staff-caller.ts'
import type { StaffPrincipal } from './handler.ts'

const minuteSeconds = 60

export function gateStaff(
  row: ConsoleOperation,
  { credential, tenant, organization, staff }: StaffCaller,
): StaffPrincipal {
  const { roles, isSignature = false, path } = row
  if (!isOpenTo(row, staff)) {
    throw new Problem('role_required', { members: { required_roles: roles } })
  }
  const { factorSeconds } = staff
  const ageMax = isSignature ? consoleLimits.signatureMinutes * minuteSeconds : Infinity
  if (factorSeconds === null || factorSeconds > ageMax) throw new Problem('factor_required')
  if (pathNames(path).length > 0 && tenant === '') {
    throw new Problem('not_found', { detail: 'No such resource exists for this clinic.' })
  }
  const { id, person, ...caller } = credential
  if (person === null) throw new Error('the session has no person')
  return { ...caller, credential: id, person, tenant, organization: { id: organization }, staff }
}
