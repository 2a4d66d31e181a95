// Builds the console's binary responses from the pipeline's result, after the call has released its
// connection.

import type { ConsoleId } from '#contract/console/operations.ts'
import { Problem } from '#contract/problems.ts'
import type { Outcome } from '../pipeline/requested-call.ts'
import { archiveOf } from './export.ts'
import { type Bytes, StorageUnavailable } from '../storage/storage.ts'
import { ViewerUnavailable } from '../viewer/viewer.ts'
import { originalOf, pageOf, type Viewing } from '../console/files.ts'
import type { Files } from '../services.ts'

const makers: Partial<
  Record<ConsoleId, (files: Files, item: string, viewing: Viewing) => Promise<Bytes>>
> = {
  viewFile: pageOf,
  downloadFile: originalOf,
  exportRecord: archiveOf,
}

export async function withBytes(
  files: Files,
  operation: ConsoleId,
  outcome: Outcome,
  viewing: Viewing,
): Promise<Outcome> {
  const make = makers[operation]
  if (make === undefined || 'problem' in outcome) return outcome
  const made = await make(files, outcome.body, viewing).catch(problemOf)
  const { allowance, caller } = outcome
  if (made instanceof Problem) return { problem: made, allowance, caller }
  return { ...outcome, body: '', bytes: made }
}

function problemOf(failure: unknown): Problem {
  if (failure instanceof Problem) return failure
  const isAway = failure instanceof ViewerUnavailable || failure instanceof StorageUnavailable
  if (!isAway) throw failure
  return new Problem('service_unavailable', {
    detail: 'Documents cannot be read right now.',
    headers: { 'retry-after': '5' },
  })
}
