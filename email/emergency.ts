// Emails to administrators of a clinic about who gets at its records. Those about emergency access
// hold no reason: it may name a patient.
import company from '#content/site.config.ts'
import { moment, type PersonText, quoted, type To } from './person-text.ts'

type OfStaff = To & {
  /** Their address. */
  readonly member: string
  readonly organization: string
  /** From when a new password can be set, ISO 8601. */
  readonly effective_at: string
}

export type EmergencyFacts = {
  /** To the other administrators of the clinic. */
  emergency_access_started: To & {
    /** Of the administrator who has it. */
    readonly name: string
    readonly organization: string
    readonly ends_at: string
  }
  /** To the other administrators, when a member of staff recovers their account by email. */
  recovery_begun_by_staff: OfStaff
  recovered_staff: OfStaff
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
      `${quoted(name)} can read the records of all patients of ${quoted(organization)} until ${moment(at)}, and can change, remove or export nothing.`,
      'The page Emergency access of the console has the reason, and any administrator can end it there at once. The page Activity marks what is done until then.',
    ],
  }),
  recovery_begun_by_staff: ({ member, organization, effective_at: at }) => ({
    subject: 'A staff member is recovering their account',
    lines: [
      `${member}, on the staff of ${quoted(organization)}, asked to set a new password without a second factor. They can do so from ${moment(at)}.`,
      'Ask them in person or by phone. If it isn’t them, stop the recovery in the console: open Staff, then their name.',
    ],
  }),
  recovered_staff: ({ member, organization }) => ({
    subject: 'Confirm a staff member who recovered their account',
    lines: [
      `${member}, on the staff of ${quoted(organization)}, set a new password without a second factor. Their roles are paused: they can open no chart.`,
      'Ask them in person or by phone. If it’s them, confirm it in the console: open Staff, then their name. If it isn’t, deactivate them there.',
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
