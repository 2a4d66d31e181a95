// The console's form fields as its pages label them. Hidden fields aren't here.
import type { FormFields } from '#http/pages/fault-text.ts'

const link = 'Enter a full tracking link that starts with https://.'
const entry = 'Choose one of this patient’s entries, or None.'

export const formFields: FormFields = {
  body: { name: 'your text' },
  carrier: { name: 'a carrier', kind: 'option' },
  codes: {
    name: 'an ICD-10-CM code',
    kind: 'list',
    fixes: {
      // Names the code and those near it, in words for clinicians.
      unknown_reference: message =>
        / isn’t a billable code /.test(message) ? message : 'Enter billable ICD-10-CM codes.',
    },
  },
  corrects: {
    name: 'an entry',
    kind: 'option',
    fixes: { invalid_format: entry, unknown_reference: entry },
  },
  days_supply: { name: 'the days’ supply', kind: 'number' },
  description: { name: 'what was disclosed' },
  directions: { name: 'directions' },
  disclosed_on: { name: 'a date', kind: 'day' },
  dispensable: {
    name: 'whether to send it to the pharmacy',
    kind: 'option',
    fixes: { not_allowed: 'Uncheck Send to pharmacy. The pharmacy never fills this medication.' },
  },
  medication_id: { name: 'a medication that your clinic dispenses', kind: 'option' },
  number: { name: 'a tracking number' },
  patient: { name: 'a full patient ID' },
  plan: { name: 'a medication', kind: 'list', item: 'Medication' },
  purpose: { name: 'a purpose' },
  q: { name: 'a search' },
  quantity: { name: 'the quantity', kind: 'number' },
  question: { name: 'a question' },
  reason: { name: 'a reason' },
  recipient: { name: 'a recipient' },
  recipient_address: { name: 'the recipient’s address' },
  refills: { name: 'the refills', kind: 'number' },
  starts_at: { name: 'a new time', kind: 'option' },
  target: { name: 'who to ask', kind: 'option' },
  tracking: { name: 'a tracking number' },
  url: {
    name: 'a tracking link',
    fixes: { invalid_format: link, unsafe_url: link },
  },
}
