import type { Entry } from '#content/entry.ts'
import type { Content } from '#content/read.ts'
import config from '#content/site.config.ts'
import {
  changelog,
  type Consent,
  consent,
  type Legal,
  legal,
  overview,
  pricing,
} from '#content/records.ts'
import { awaitedReviewers } from '#content/reviewers.ts'
import { type Article, article, type Doc, doc, people } from '#content/schema.ts'
import { placeName, weekdays } from '#content/opening-hours.ts'
import { markdownTable } from '../figures/figures.ts'
import { titleOf } from '../drafts.ts'
import { apiLinesOf, daysOf, noBreaking } from '../changes.ts'
import { readable } from '../render/day.ts'
import { planAction, priceOf } from '../prices.ts'

const list = (lines: string[]) => lines.map(line => `- ${line}`).join('\n')

const priced = (content: Content) => pricing.parse(content.pricing.data)

function plans(content: Content): string {
  const { plans: all, currency } = priced(content)
  return all
    .map(plan =>
      [
        `### ${plan.name}: ${priceOf(plan.price, currency, plan.interval)}`,
        plan.summary,
        list(plan.includes),
        `**[${planAction(plan)}](${plan.url})**`,
      ].join('\n\n'),
    )
    .join('\n\n')
}

function usage(content: Content): string {
  const { usage: all, currency } = priced(content)
  const rows = all.map(({ kind, unit, price }) => [
    `${unit} (\`${kind}\`)`,
    priceOf(price, currency, null),
  ])
  return markdownTable(['for each', 'price'], rows)
}

/** An assistant's consent question and notices, with the same wording everywhere. */
function consentWords(content: Content): string {
  const words: Consent = consent.parse(content.consent.data)
  return [`> ${words.ask}`, words.not_medical, words.privacy].join('\n\n')
}

function changes(content: Content): string {
  const all = changelog.parse(content.changelog.data)
  const days = daysOf(all).map(day => {
    const lines = all
      .filter(({ date }) => date === day)
      .map(
        each =>
          `**${each.surface}, ${each.kind}${each.breaking ? ', breaking' : ''}**: ${each.title}${each.sunset === undefined ? '' : ` The old behavior stops working on ${readable(each.sunset)}.`}`,
      )
    const fields = apiLinesOf(day, name => `\`${name}\``)
    const api =
      fields.length === 0 ? [] : [`**api, by operation and field**: ${fields.join('; ')}.`]
    return [`## ${readable(day)}`, list(lines), ...api].join('\n\n')
  })
  const none = all.some(({ breaking }) => breaking) ? [] : [noBreaking]
  return [...none, ...days].join('\n\n')
}

type Version = Legal & { body: string }

/** A legal text's versions, the current version first. */
function versions(content: Content, document: Legal['document']): Version[] {
  return content.legal
    .map((entry: Entry) => ({ ...legal.parse(entry.data), body: entry.body.trim() }))
    .filter(version => version.document === document)
    .toSorted((a, b) => b.effective.localeCompare(a.effective))
}

function legalText(content: Content, document: Legal['document']): string {
  const [current, ...older] = versions(content, document)
  if (current === undefined) throw new Error(`content/legal has no ${document}`)
  const dates = `Version ${current.version}, in force since ${readable(current.effective)}.`
  const reviewer = people.parse(content.people.data)[current.reviewed_by ?? '']
  const review =
    reviewer === undefined ? 'No lawyer has reviewed it.' : `Reviewed by ${reviewer.name}.`
  const before =
    older.length === 0
      ? 'This is the first version.'
      : `Replaces version ${current.supersedes}. What changed:\n\n${list(current.changes)}`
  return [`${dates} ${review} ${before}`, current.body, ...older.map(earlier)].join('\n\n')
}

function earlier({ version, effective, body }: Version): string {
  const text = body.replace(/^##/gm, '###')
  return `## Version ${version}\n\nEffective ${readable(effective)}.\n\n${text}`
}

/** Guides in order under their groups. */
function guides(content: Content): string {
  const all = content.docs
    .map((entry): Doc => doc.parse(entry.data))
    .toSorted((a, b) => a.order - b.order)
  return [...new Set(all.map(({ group }) => group))]
    .map(group => {
      const lines = all
        .filter(guide => guide.group === group)
        .map(guide => `[${titleOf(guide)}](/docs/${guide.slug}): ${guide.description}`)
      return `## ${group}\n\n${list(lines)}`
    })
    .join('\n\n')
}

/** Who writes and reviews the pages, and how many still need a review. */
function writers(content: Content): string {
  const named = people.parse(content.people.data)
  const articles = content.articles.map((entry): Article => article.parse(entry.data))
  const near = articles.filter(each => awaitedReviewers(each.class, []).length > 0)
  const waiting = near.filter(each => {
    const reviewers = each.reviewed_by.flatMap(key => named[key] ?? [])
    return awaitedReviewers(each.class, reviewers).length > 0
  })
  const isReviewed = articles.some(each => each.reviewed_by.length > 0)
  const none = isReviewed ? '' : 'No clinician or lawyer has reviewed this site’s pages. '
  const rest =
    waiting.length === 0
      ? 'Each article about care or law names its reviewer.'
      : `Of ${near.length} articles about care or law, ${waiting.length} are awaiting review and say so at the top.`
  const all = Object.values(named).map(({ name, role, bio }) => `**${name}**, ${role}. ${bio}`)
  const company = 'Pages without a byline are written by the company.'
  return [...(all.length === 0 ? [] : [list(all)]), `${company} ${none}${rest}`].join('\n\n')
}

/** Formats a time as the booking pages do: `13:00` as `1:00 PM`. */
function clock(time: string): string {
  const at = new Date(`1970-01-01T${time}:00.000Z`)
  const format = { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' } as const
  return at.toLocaleTimeString('en-US', format).replace('\u202f', '\u00a0')
}

/** The opening hours, one line for days with equal hours. */
function openingHours(): string {
  const { hours, timeZone } = config.booking
  const named = (day: string) => day.charAt(0).toUpperCase() + day.slice(1)
  const spoken = (stretch: string) => stretch.split('-').map(clock).join(' to ')
  const groups = Map.groupBy(
    weekdays.filter(day => hours[day].length > 0),
    day => hours[day].map(spoken).join(', and '),
  )
  const lines = [...groups].map(([times, days]) => `**${days.map(named).join(', ')}:** ${times}`)
  return `Calls take place at these times (${placeName(timeZone)}):\n\n${list(lines)}`
}

export const recordBlocks: Readonly<Record<string, (content: Content) => string>> = {
  plans,
  usage,
  changes,
  guides,
  people: writers,
  consent: consentWords,
  hours: openingHours,
  terms: content => legalText(content, 'terms'),
  privacy: content => legalText(content, 'privacy'),
  unpriced: content => list(priced(content).unpriced.map(({ what, why }) => `**${what}.** ${why}`)),
  'pricing-notes': content => list(priced(content).notes),
  faq: content =>
    priced(content)
      .faq.map(({ question, answer }) => `### ${question}\n\n${answer}`)
      .join('\n\n'),
  capabilities: content =>
    list(
      overview
        .parse(content.overview.data)
        .capabilities.map(each => `[${each.title}](${each.url}): ${each.description}`),
    ),
  'not-offered': content => list(overview.parse(content.overview.data).not_offered),
}
