// Refusals that only the console returns and that no API document lists.

const surfaces = ['console'] as const

export const consoleProblems = {
  role_required: {
    status: 403,
    title: 'A different role is required',
    hint: 'Ask a staff member with one of required_roles, or ask an administrator for that role.',
    surfaces,
  },
  factor_required: {
    status: 403,
    title: 'A second factor is required',
    hint: 'Confirm your second factor, then send the request again. For signatures, it stays valid for 15 minutes.',
    surfaces,
  },
  license_required: {
    status: 403,
    title: 'A license is required',
    detail: 'You have no current license in the patient’s state.',
    hint: 'Leave this to a clinician licensed there, or ask an administrator to record your license.',
    surfaces,
  },
  case_claimed: {
    status: 409,
    title: 'Another staff member is working on the case',
    hint: 'Wait until claimed_until, or ask them to release the case.',
    surfaces,
  },
  legal_hold: {
    status: 409,
    title: 'The record is on legal hold',
    hint: 'Nothing in the record can be destroyed until every hold on it is lifted.',
    surfaces,
  },
  file_not_shown: {
    status: 409,
    title: 'The document cannot be shown',
    hint: 'Read the document. Its scan and finding fields say why.',
    surfaces,
  },
  transmission_open: {
    status: 409,
    title: 'The order is still being sent to the pharmacy',
    detail: 'You cannot change the order by hand until the pharmacy has it.',
    hint: 'Wait until it is sent. If sending stopped, send it again or fill it yourself.',
    surfaces,
  },
  too_early: {
    status: 409,
    title: 'Too early',
    hint: 'Try again at opens_at.',
    surfaces,
  },
  version_changed: {
    status: 409,
    title: 'The resource changed after you read it',
    detail: 'Someone changed this after you opened it, so nothing was saved.',
    hint: 'Read it again and send the new version.',
    surfaces,
  },
} as const
