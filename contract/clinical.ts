// The clinical API, whole, in reading order. One row an operation.

import { autopilot } from './clinical/autopilot.ts'
import { billing } from './clinical/billing.ts'
import { cases } from './clinical/cases.ts'
import { events } from './clinical/events.ts'
import { exports } from './clinical/exports.ts'
import { files } from './clinical/files.ts'
import { organization } from './clinical/organization.ts'
import { patients } from './clinical/patients.ts'
import { realtime } from './clinical/realtime.ts'
import { sandbox } from './clinical/sandbox.ts'
import { thread } from './clinical/thread.ts'
import { visits } from './clinical/visits.ts'
import { webhooks } from './clinical/webhooks.ts'
import type { InputOf, Operation, OutputOf, RefusalOf } from './operation.ts'

export const operations = {
  ...organization,
  ...patients,
  ...exports,
  ...cases,
  ...thread,
  ...visits,
  ...files,
  ...billing,
  ...events,
  ...realtime,
  ...webhooks,
  ...sandbox,
  ...autopilot,
}

export type OperationId = keyof typeof operations
export type Input<K extends OperationId> = InputOf<(typeof operations)[K]>
export type Output<K extends OperationId> = OutputOf<(typeof operations)[K]>
export type Refusal<K extends OperationId> = RefusalOf<(typeof operations)[K]>

/** The rows as the pipeline sees them: without the literals that only the compiler needs. */
export const table: Readonly<Record<OperationId, Operation>> = operations
export const operationIds = Object.keys(operations) as OperationId[]
