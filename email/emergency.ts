// Emails about emergency access. They hold no reason: it may name a patient.
import company from '#content/site.config.ts'
import { moment, type PersonText, quoted, type To } from './person-text.ts'

export type EmergencyFacts = {
  /** To the other administrators of the clinic. */
  emergency_access_started: To & {
    /** Of the administrator who has it. */
    readonly name: string
    readonly organization: string
    readonly ends_at: string
  }
  /** To the administrators of the clinic. */
  operator_access_approved: To & {
    readonly organization: string
    readonly asked_by: string
    readonly approved_by: string
    readonly ends_at: string
  }
}

type Texts = { [K in keyof EmergencyFacts]: (facts: EmergencyFacts[K]) => PersonText }

export const emergencyTexts: Texts = {
  emergency_access_started: ({ name, organization, ends_at: at }) => ({
    subject: 'An administrator has emergency access to records',
    lines: [
      `${quoted(name)} took emergency access to the records of the patients of ${quoted(organization)}. It ends by itself on ${moment(at)}.`,
      'The page Emergency access of the console has the reason, and any administrator can end it there at once. The page Activity marks what is done until then.',
    ],
  }),
  operator_access_approved: ({ organization, asked_by: one, approved_by: two, ends_at: at }) => ({
    subject: 'We have emergency access to records of your clinic',
    lines: [
      `${quoted(one)} of ${company.name} may read records of the patients of ${quoted(organization)} until ${moment(at)}. ${quoted(two)} approved it. Nothing can be changed, and each statement is kept.`,
      'The page Emergency access of the console has the reason. If you did not expect this, write to us.',
    ],
  }),
}
