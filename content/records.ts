import { z } from 'astro/zod'
import { address, day, path } from './schema.ts'

// Schemas for records that aren't pages: legal versions, prices, consent texts, removed pages.

/**
 * One version of a legal text. The page shows the current version; older versions stay readable.
 */
export const legal = z.strictObject({
  document: z.enum(['terms', 'privacy']),
  version: day.describe('The day it was written, which is also its name.'),
  effective: day,
  supersedes: day.nullable(),
  changes: z.array(z.string()).default([]).describe('What changed since the previous version.'),
  reviewed_by: z
    .string()
    .optional()
    .describe('A lawyer in people.yaml. Without one, the page says so.'),
})

/** An agent skill. The file is served as is, so its keys follow the format. */
export const skill = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .max(64),
  description: z.string().min(40).max(1024),
})

/** The changelog, read from changelog.md. */
export const changelog = z.array(
  z.strictObject({
    date: day,
    kind: z.enum(['added', 'changed', 'deprecated', 'removed', 'fixed']),
    surface: z.enum(['site', 'api', 'sdk', 'cli', 'mcp']),
    title: z.string().min(10).describe('One or a few sentences of Markdown.'),
    breaking: z.boolean(),
    sunset: day.optional().describe('The last day it works.'),
  }),
)

/** Removed pages. A removed page's current and former URLs return 410 with the reason. */
export const gone = z.array(
  z.strictObject({
    path,
    title: z.string().min(10).max(65),
    on: day,
    why: z.string().min(20),
    instead: address.nullable(),
    redirect_from: z
      .array(path)
      .optional()
      .describe('The page’s former URLs. They return the same response.'),
  }),
)

const rule = z.strictObject({
  title: z.string().min(5).describe('The publisher’s title for the rule.'),
  url: z.url({ protocol: /^https$/ }),
  accessed: day.describe('The day you read it.'),
  until: day.describe('The last day pages can describe it this way.'),
  end: z
    .string()
    .min(20)
    .describe('What happens that day, in one sentence, such as the end of a session or a term.'),
})

/** Expiring rules by key. A page lists the keys of its rules in `rules`. */
export const rules = z.record(z.string(), rule)

/** Readers' words, with our pages' words on each line (content/ranking/related.ts). */
export const related = z.record(z.string(), z.string())

const amount = z
  .string()
  .regex(/^\d+\.\d{2}$/)
  .nullable()

export const pricing = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/),
  updated: day,
  plans: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      summary: z.string(),
      price: amount.describe('null if the price is agreed individually. Never an estimate.'),
      interval: z.enum(['month', 'year', 'once']).nullable(),
      includes: z.array(z.string()),
      url: address,
    }),
  ),
  usage: z.array(z.strictObject({ kind: z.string(), unit: z.string(), price: amount })),
  unpriced: z.array(z.strictObject({ what: z.string(), why: z.string() })),
  notes: z.array(z.string()),
  faq: z.array(z.strictObject({ question: z.string().endsWith('?'), answer: z.string() })),
})

export const overview = z.strictObject({
  summary: z.string(),
  updated: day,
  audience: z.array(z.string()),
  capabilities: z.array(
    z.strictObject({ title: z.string(), description: z.string(), url: address }),
  ),
  not_offered: z.array(z.string()),
})

const sentence = z.string().min(10)

/**
 * The texts shown before a call is booked for a person, the same on every endpoint and page.
 */
export const consent = z.strictObject({
  version: day.describe('The version of the wording, stored with every booking.'),
  ask: sentence,
  ask_callback: sentence,
  stated: sentence,
  refused: sentence,
  confirmed: sentence,
  pick_a_time: sentence,
  mail_footer: sentence,
  mail_footer_page: sentence,
  not_medical: sentence,
  no_health: sentence,
  privacy: sentence,
})

export type Legal = z.infer<typeof legal>
export type Changelog = z.infer<typeof changelog>
export type Rule = z.infer<typeof rule>
export type Gone = z.infer<typeof gone>[number]
export type Pricing = z.infer<typeof pricing>
export type Overview = z.infer<typeof overview>
export type Consent = z.infer<typeof consent>
export type Skill = z.infer<typeof skill>
