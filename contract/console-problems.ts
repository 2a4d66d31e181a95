// Refusals that only the console returns. No API document lists them.

const surfaces = ['console'] as const

export const consoleProblems = {
  role_required: {
    status: 403,
    title: 'Another role is required',
    hint: 'Ask a member of staff with one of required_roles, or an admin for that role.',
    surfaces,
  },
  factor_required: {
    status: 403,
    title: 'The second factor must be proved',
    hint: 'Prove the second factor, and send the same again. For a signature it counts for 15 minutes.',
    surfaces,
  },
  license_required: {
    status: 403,
    title: 'A license is required',
    detail: 'You hold no license in the state of the patient that is valid today.',
    hint: 'Leave the case to a clinician who is licensed there, or ask an admin to record your license.',
    surfaces,
  },
  case_claimed: {
    status: 409,
    title: 'Another member of staff works on the case',
    hint: 'Wait until claimed_until, or ask them to release the case.',
    surfaces,
  },
  legal_hold: {
    status: 409,
    title: 'A legal hold is on the record',
    hint: 'Nothing of the record is destroyed until each hold of the patient is lifted.',
    surfaces,
  },
  file_not_shown: {
    status: 409,
    title: 'The document is not shown',
    hint: 'Read the document: scan and finding say why.',
    surfaces,
  },
  transmission_open: {
    status: 409,
    title: 'The order is still to be sent to the pharmacy',
    detail: 'Until the pharmacy has the order, it cannot be moved by hand.',
    hint: 'Wait until it is sent. If it was given up, send it again, or take it over to do it by hand.',
    surfaces,
  },
  too_early: {
    status: 409,
    title: 'It is too early',
    hint: 'Try again from opens_at on.',
    surfaces,
  },
  version_changed: {
    status: 409,
    title: 'It changed since you read it',
    hint: 'Read it again, and send the new version.',
    surfaces,
  },
} as const
