// Problems as pages word them. The problem table's hints are for programs: they name calls, headers
// and fields. A code without an entry here has a hint that also helps people, or no page causes it.
import { type Problem, type ProblemCode, problems } from '#contract/problems.ts'
import { statusWords } from '../html/status-text.ts'
import { faultsText, type FormFields } from './fault-text.ts'

type Wording = {
  /** What happened, if the problem's own detail is for programs. */
  readonly detail?: string
  /** What to do next. */
  readonly hint: string
}

const wordings: Partial<Record<ProblemCode, Wording>> = {
  invalid_request: {
    detail: 'Something you entered isn’t valid.',
    hint: 'Check your entries, then try again.',
  },
  forbidden: {
    detail: 'Your account can’t do this here.',
    hint: 'Ask an administrator for access.',
  },
  insufficient_scope: { hint: 'Ask an administrator for access.' },
  organization_not_granted: {
    detail: 'This clinic hasn’t granted you access.',
    hint: 'Ask the clinic for access.',
  },
  not_found: {
    detail: 'We couldn’t find this.',
    hint: 'It may have been removed, or it belongs to someone else.',
  },
  request_timeout: { detail: 'Your entries didn’t arrive in time.', hint: 'Try again.' },
  invalid_transition: { hint: 'This page shows the current status.' },
  idempotency_in_progress: {
    detail: 'This form is still being saved.',
    hint: 'Wait a moment, then try again.',
  },
  idempotency_key_reused: {
    detail: 'This form was already sent with other entries.',
    hint: 'Open the page again to see what was saved.',
  },
  slot_unavailable: { hint: 'Choose another time.' },
  join_not_open: {
    detail: 'The video room is closed right now.',
    hint: 'It opens shortly before the visit.',
  },
  export_not_ready: { hint: 'Wait until it’s completed, then try again.' },
  upload_missing: { hint: 'Upload the document again.' },
  endpoint_disabled: { hint: 'Enable the endpoint first.' },
  endpoint_limit_reached: { hint: 'Delete an endpoint you no longer use.' },
  gone: { hint: 'Create a new export.' },
  payload_too_large: {
    detail: 'Your entries are too long.',
    hint: 'Shorten them, then try again.',
  },
  consent_required: { hint: 'Record the patient’s new consent, then file the case again.' },
  baa_required: { hint: 'An owner can accept the agreement in the portal, under Go live.' },
  rate_limited: {
    detail: 'That was too often in a short time.',
    hint: 'Wait a minute, then try again.',
  },
  internal_error: {
    detail: 'Something went wrong on our side.',
    hint: 'Try again. If it keeps failing, contact us.',
  },
  service_unavailable: {
    detail: 'We couldn’t do this right now.',
    hint: 'Try again in a moment.',
  },
  role_required: { hint: 'Ask an administrator for the role.' },
  factor_required: { hint: 'Confirm it’s you, then try again.' },
  case_claimed: { hint: 'Wait until they’re done, or ask them to release the case.' },
  file_not_shown: { hint: 'Open the document to see why.' },
  too_early: { hint: 'Try again then.' },
  version_changed: { hint: 'Review it, then try again.' },
}

/** Hints for the people of one module. */
export type Hints = Partial<Record<ProblemCode, string>>

/** What happened, and what to do next. `fields` are the module's fields with errors shown here. */
export function problemText(
  { code, content }: Problem,
  hints: Hints = {},
  fields: FormFields = {},
): string {
  const faults = content.errors ?? []
  if (faults.length > 0) return faultsText(faults, fields)
  const wording = wordings[code]
  const detail = wording?.detail ?? content.detail ?? problems[code].detail ?? problems[code].title
  const hint = hints[code] ?? wording?.hint ?? content.hint ?? problems[code].hint
  const text = `${detail.replace(/[^.?!]$/, '$&.')} ${hint}`
  return code === 'invalid_transition' ? text.replace(status, name => statusWords(name)) : text
}

/** A status such as `in_review`. */
const status = /\b[a-z]+(_[a-z]+)+\b|\bcancelled\b/g
