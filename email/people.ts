// Emails to people about their account, their integration or their clinic. Names chosen by others
// are quoted and don't become links.
import { accountTexts, type AccountFacts } from './account.ts'
import { type EmergencyFacts, emergencyTexts } from './emergency.ts'
import { type IntegrationFacts, integrationTexts } from './integration.ts'
import type { MailLinks } from './links.ts'
import type { TextsOf } from './person-text.ts'
import { type PrescriptionFacts, prescriptionTexts } from './prescriptions.ts'
import type { Prose } from './prose.ts'
import { type WorkFacts, workTexts } from './work.ts'

/** The facts in each email. */
export type PersonFacts = AccountFacts &
  IntegrationFacts &
  EmergencyFacts &
  PrescriptionFacts &
  WorkFacts

export type PersonEmail = keyof PersonFacts

const texts: TextsOf<PersonFacts> = {
  ...accountTexts,
  ...integrationTexts,
  ...emergencyTexts,
  ...prescriptionTexts,
  ...workTexts,
}

export function proseToPerson<K extends PersonEmail>(
  kind: K,
  facts: PersonFacts[K],
  links: MailLinks,
): Prose {
  const { subject, lines, button, because } = texts[kind](facts, links)
  const [why, ...rest] = lines
  return {
    subject,
    heading: subject,
    lines: [
      ...(why === undefined ? [] : [why]),
      ...(button === undefined ? [] : [{ ...button, isMain: true as const }]),
      ...rest,
    ],
    foot: [`You’re getting this because ${because}`],
  }
}
