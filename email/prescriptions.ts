// Emails to a clinic's staff about prescriptions. They name no patient and no medication.
import { quoted, type TextsOf, type To } from './person-text.ts'

export type PrescriptionFacts = {
  prescription_not_sent: To & {
    readonly organization: string
    readonly organization_id: string
    readonly pharmacy: string
    /** The recipient's role. Administrators get the email if no one has the pharmacy role. */
    readonly role: 'pharmacy' | 'admin'
  }
}

/** What each recipient can do, where, and why they got the email. */
const byRole = {
  pharmacy: {
    todo: 'The order is marked “Not sent”, with the reason. Send it again or fill it yourself.',
    button: { label: 'Open orders', path: '/orders?status=not_sent' },
    because: 'you fill orders at',
  },
  admin: {
    todo: 'No one at the clinic has the pharmacy role. Give it to someone, so they can send the order again or fill it.',
    button: { label: 'Open staff', path: '/staff' },
    because: 'you’re an administrator of',
  },
} as const

export const prescriptionTexts: TextsOf<PrescriptionFacts> = {
  prescription_not_sent: ({ organization, organization_id: id, pharmacy, role }, links) => {
    const { todo, button, because } = byRole[role]
    return {
      subject: 'A prescription wasn’t sent to the pharmacy',
      lines: [
        `At least one prescription from ${quoted(organization)} wasn’t sent to ${quoted(pharmacy)}, and we won’t try again. Until someone acts, the patient gets no medication.`,
        todo,
        'You get this email at most once an hour, so check all orders.',
      ],
      button: { label: button.label, href: `${links.console}/${id}${button.path}` },
      because: `${because} ${quoted(organization)}.`,
    }
  },
}
