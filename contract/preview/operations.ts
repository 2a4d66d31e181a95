// Every operation in the preview, one row each, in reading order. The preview is an API alongside
// /v1 with its own document. The preview can change with 30 days' notice.

import type { PreviewOperation } from '../operation.ts'
import { clock } from './clock.ts'
import { consentVersions } from './consent-versions.ts'
import { destinations } from './destinations.ts'
import { metricOperations } from './metrics.ts'
import { replays } from './replays.ts'
import { requests } from './requests.ts'
import { tableExports } from './table-exports.ts'

export const previewOperations = {
  ...requests,
  ...replays,
  ...destinations,
  ...tableExports,
  ...metricOperations,
  ...clock,
  ...consentVersions,
}

export type PreviewId = keyof typeof previewOperations

/** The same rows under one type, without their literal types. */
export const previewTable: Readonly<Record<PreviewId, PreviewOperation>> = previewOperations
export const previewIds = Object.keys(previewOperations) as PreviewId[]
