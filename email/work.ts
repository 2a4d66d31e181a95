// The email about work waiting for a staff member. The email contains only counts, nothing about
// patients.
import { countText } from '#http/html/counts.ts'
import { timeIn } from '#http/html/zone.tsx'
import { quoted, type TextsOf, type To } from './person-text.ts'

/** The counts in a digest, in row order. */
const labels = {
  visits: 'Your visits today',
  cases: 'Open cases',
  messages: 'Unanswered messages',
  orders: 'Orders to fill',
  grants: 'Access requests',
} as const

type Kind = keyof typeof labels

export type WorkFacts = {
  /** A kind is absent if nothing is waiting; counts stop at 100. */
  work_waiting: To & { readonly [kind in Kind]?: number } & {
    readonly organization: string
    readonly organization_id: string
    /** The recipient's time zone. */
    readonly zone: string
    /** When the counts were taken, in ISO 8601. */
    readonly at: string
  }
}

export const workTexts: TextsOf<WorkFacts> = {
  work_waiting: (facts, { console: origin }) => {
    const home = `${origin}/${facts.organization_id}`
    const kinds = (Object.keys(labels) as Kind[]).flatMap(kind => {
      const count = facts[kind] ?? 0
      return count === 0 ? [] : [[labels[kind], countText(count)] as const]
    })
    return {
      subject: 'What’s waiting for you today',
      lines: [
        `Here’s your work at ${quoted(facts.organization)} as of ${timeIn(facts.at, facts.zone)}.`,
        { rows: kinds },
      ],
      button: { label: 'Open console', href: `${home}/work` },
      because: `you chose a daily summary. Change or stop it in your preferences: ${home}/preferences`,
    }
  },
}
