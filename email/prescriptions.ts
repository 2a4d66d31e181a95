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

export const prescriptionTexts: TextsOf<PrescriptionFacts> = {
  prescription_not_sent: ({ organization, organization_id: id, pharmacy, role }, links) => ({
    subject: 'A prescription wasn’t sent to the pharmacy',
    lines: [
      `At least one prescription from ${quoted(organization)} wasn’t sent to ${quoted(pharmacy)}, and we won’t try again. Until someone acts, the patient gets no medication.`,
      role === 'pharmacy'
        ? 'The order is marked “Not sent”, with the reason. Send it again or fill it yourself.'
        : 'No one at the clinic has the pharmacy role. Give it to someone, so they can send the order again or fill it.',
      'You get this email at most once an hour, so check all orders.',
    ],
    button:
      role === 'pharmacy'
        ? { label: 'Open orders', href: `${links.console}/${id}/orders?status=not_sent` }
        : { label: 'Open staff', href: `${links.console}/${id}/staff` },
    because:
      role === 'pharmacy'
        ? `you fill orders at ${quoted(organization)}.`
        : `you’re an administrator of ${quoted(organization)}.`,
  }),
}
