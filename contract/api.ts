// Every operation of the clinical API, one row each, in reading order.

import { autopilot } from './api/autopilot.ts'
import { billing } from './api/billing.ts'
import { cases } from './api/cases.ts'
import { events } from './api/events.ts'
import { exports } from './api/exports.ts'
import { files } from './api/files.ts'
import { organization } from './api/organization.ts'
import { patients } from './api/patients.ts'
import { realtime } from './api/realtime.ts'
import { sandbox } from './api/sandbox.ts'
import { thread } from './api/thread.ts'
import { visits } from './api/visits.ts'
import { webhooks } from './api/webhooks.ts'
import type { InputOf, Operation, OutputOf } from './operation.ts'

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

/** The same rows under one type, without their literal types. */
export const table: Readonly<Record<OperationId, Operation>> = operations
export const operationIds = Object.keys(operations) as OperationId[]
