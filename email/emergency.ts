// Emails to a clinic's administrators about access to its records. Emails about emergency access
// omit the reason, because a reason may name a patient.
import company from '#content/site.config.ts'
import type { MailLinks } from './links.ts'
import { moment, quoted, type TextsOf, type To } from './person-text.ts'

type OfClinic = To & { readonly organization: string; readonly organization_id: string }

type OfStaff = OfClinic & {
  /** The staff member's address. */
  readonly member: string
  /** When a new password can first be set, ISO 8601. */
  readonly effective_at: string
}

export type EmergencyFacts = {
  /** Sent to the clinic's other administrators. */
  emergency_access_started: OfClinic & {
    /** The administrator who has access. */
    readonly name: string
    readonly ends_at: string
  }
  grant_requested: OfClinic & {
    readonly grant: string
    readonly integration: string
    /** The number of requested scopes. */
    readonly requested: number
  }
  /** Sent to the other administrators when a staff member recovers their account by email. */
  recovery_begun_by_staff: OfStaff
  recovered_staff: OfStaff
  operator_access_approved: OfClinic & {
    readonly asked_by: string
    readonly approved_by: string
    readonly ends_at: string
  }
}

const admins = ({ organization }: OfClinic) => `you’re an administrator of ${quoted(organization)}.`

/** The URL of a console page. */
const pageOf = (links: MailLinks, { organization_id: id }: OfClinic, path: string) =>
  `${links.console}/${id}${path}`

export const emergencyTexts: TextsOf<EmergencyFacts> = {
  emergency_access_started: (facts, links) => ({
    subject: 'Emergency access to patient records started',
    lines: [
      `${quoted(facts.name)} can read every patient’s record at ${quoted(facts.organization)} until ${moment(facts.ends_at, facts)}, but can’t change, remove or export anything.`,
      'See the reason in the console. Any administrator can end the access there.',
    ],
    button: { label: 'Review access', href: pageOf(links, facts, '/emergency-access') },
    because: admins(facts),
  }),
  grant_requested: (facts, links) => ({
    subject: 'An integration requests access',
    lines: [
      `${quoted(facts.integration)} requests access to ${quoted(facts.organization)} with ${facts.requested} ${facts.requested === 1 ? 'scope' : 'scopes'}. You have 30 days to approve or decline the request.`,
    ],
    button: { label: 'Review request', href: pageOf(links, facts, `/grants/${facts.grant}`) },
    because: admins(facts),
  }),
  recovery_begun_by_staff: (facts, links) => ({
    subject: 'A staff member is recovering their account',
    lines: [
      `${facts.member}, who works at ${quoted(facts.organization)}, asked to set a new password without a second factor. They can do so starting ${moment(facts.effective_at, facts)}.`,
      'Ask them in person or by phone. If it isn’t them, stop the recovery on their staff page.',
    ],
    button: { label: 'Review staff', href: pageOf(links, facts, '/staff') },
    because: admins(facts),
  }),
  recovered_staff: (facts, links) => ({
    subject: 'Confirm a staff member who recovered their account',
    lines: [
      `${facts.member}, who works at ${quoted(facts.organization)}, set a new password without a second factor. Their roles are paused, so they can’t open charts.`,
      'Ask them in person or by phone, then confirm or deactivate them on their staff page.',
    ],
    button: { label: 'Review staff', href: pageOf(links, facts, '/staff') },
    because: admins(facts),
  }),
  operator_access_approved: (facts, links) => ({
    subject: `${company.name} has emergency access to your clinic’s records`,
    lines: [
      `${quoted(facts.asked_by)} at ${company.name} can read patient records at ${quoted(facts.organization)} until ${moment(facts.ends_at, facts)}. ${quoted(facts.approved_by)} approved it. They can’t change anything, and we log every query.`,
      'See the reason in the console. If you didn’t expect this, reply to this email.',
    ],
    button: { label: 'Review access', href: pageOf(links, facts, '/emergency-access') },
    because: admins(facts),
  }),
}
