import { z } from 'astro/zod'

/**
 * The schema for all frontmatter. The checks use the schema to report an error's line, and Astro
 * uses the schema to type collections. Every object is strict, so a misspelled key is an error and
 * never ignored.
 */

export const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'a date must be written YYYY-MM-DD')
  .refine(text => {
    const date = new Date(`${text}T00:00:00.000Z`)
    return !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(text)
  }, 'the day must exist in the calendar')

const title = z
  .string()
  .min(10)
  .max(65)
  .describe(
    'An answer, or a question people ask. Used as the h1, tab title, feed entry and link text.',
  )

const description = z
  .string()
  .min(70)
  .max(160)
  .describe(
    'What a reader knows after reading. Search engines and llms.txt show it in full. Unique.',
  )

export const address = z
  .string()
  .regex(/^(https:\/\/|\/|\{\w+_url\}$)/, 'a URL must start with https:// or, on this site, with /')

const source = z.strictObject({
  title: z.string().min(5).describe('The publisher’s title for the document.'),
  url: z.url({ protocol: /^https$/ }),
  accessed: day.describe('The day you read it.'),
  read_at: z
    .url({ protocol: /^https$/ })
    .optional()
    .describe('Where you read it if `url` couldn’t be opened: a copy or a report.'),
})

const ruleKeys = z
  .array(z.string())
  .default([])
  .describe('Keys in rules.yaml. Once the first rule ends, the page says so.')

export const path = z
  .string()
  .regex(/^\/[a-z0-9-]+(\/[a-z0-9-]+)*$/, 'a former URL must be a path, such as /blog/old-name')

const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  .describe('Same as the file name. Part of the URL, so it never changes.')

const picture = z.strictObject({
  file: z.string().regex(/^\/pictures\/[a-z0-9-]+\.(png|jpg|webp|avif|svg)$/),
  text: z
    .string()
    .min(4)
    .describe('All text in the picture, for readers who cannot see it; “none” if there is none.'),
  invented: z
    .boolean()
    .default(false)
    .describe('true if every person in it is synthetic. Required for screenshots.'),
})

export type Picture = z.infer<typeof picture>

const asked = z
  .string()
  .default('')
  .describe(
    '50 to 100 other phrases readers use for this page, separated by “;”: symptoms, goals, complaints. Used by search and never shown.',
  )

const common = {
  asked,
  title,
  description,
  published: day.describe(
    'First day on the site, no earlier than the file’s first commit. Never changes; the feed is sorted by it.',
  ),
  updated: day.describe(
    'Last day the meaning changed. Shown in the sitemap and the Markdown version.',
  ),
  redirect_from: z
    .array(path)
    .default([])
    .describe('Former URLs of this page. They redirect here permanently.'),
  pictures: z.array(picture).default([]).describe('The text in each picture of the page.'),
}

const inOrder = (entry: { published: string; updated: string }) => entry.updated >= entry.published
const outOfOrder = { path: ['updated'], message: 'updated must not be before published' }

const questions = z.array(z.string().min(10).max(120).endsWith('?'))
const draft = z.boolean().default(false).describe('true keeps it out of every list and page.')

export const article = z
  .strictObject({
    ...common,
    slug,
    author: z
      .string()
      .optional()
      .describe('A key in people.yaml. Without it, the company is the author.'),
    tags: z.array(z.string()).min(1).max(4).describe('Keys in tags.yaml.'),
    class: z
      .array(z.enum(['E', 'O', 'C', 'L']))
      .min(1)
      .describe('Engineering, operations, close to care, close to law. Decides the notices.'),
    reviewed_by: z
      .array(z.string())
      .default([])
      .describe(
        'Keys in people.yaml. The page says if class C has no clinician or class L no lawyer.',
      ),
    reviewed_on: day.optional().describe('The day the last reviewer finished.'),
    checked_on: day
      .optional()
      .describe('The day you read the rules it describes. Required for class L.'),
    sources: z.array(source).default([]).describe('At least two for class C or L.'),
    rules: ruleKeys,
    questions: questions
      .min(3)
      .max(5)
      .describe(
        'What a reader would ask to find this page, in their words. Used to measure the quality of /ask.',
      ),
    emergency: z
      .boolean()
      .default(false)
      .describe('true for the one page that answers questions that sound like an emergency.'),
    related: z.array(z.string()).max(3).default([]).describe('Slugs of other articles.'),
    draft,
  })
  .refine(inOrder, outOfOrder)

const criterion = z.strictObject({
  name: z.string().min(3).max(80),
  subject: z.string().min(3),
  alternative: z.string().min(3),
  source: z
    .url({ protocol: /^https$/ })
    .nullable()
    .describe('Where to read it. null for our own product, which our docs cover.'),
  worse: z.boolean().default(false).describe('true if the alternative is better.'),
})

export const comparison = z
  .strictObject({
    ...common,
    slug,
    subject: z.string().max(40),
    alternative: z.string().max(40),
    verdict: z.string().min(40).max(280),
    criteria: z
      .array(criterion)
      .min(8)
      .max(14)
      .refine(all => all.some(each => each.worse), 'at least one criterion must have worse: true'),
    best_for: z.strictObject({ subject: z.string(), alternative: z.string() }),
    vendor: z.boolean().default(false).describe('true if it names another company.'),
    checked_on: day,
    sources: z.array(source).default([]).describe('What the text is based on, besides the rows.'),
    rules: ruleKeys,
    questions: questions.max(8).default([]),
    draft,
  })
  .refine(inOrder, outOfOrder)

export const doc = z
  .strictObject({
    ...common,
    slug,
    nav: z.string().min(3).max(24).describe('Its name in the sidebar, if the title is too long.'),
    order: z.number().int().describe('Its place in the sidebar, from 1.'),
    group: z.enum(['Start', 'Build', 'Operate', 'Tools']),
    operations: z.array(z.string()).default([]).describe('Contract operations it uses.'),
    errors: z.array(z.string()).default([]).describe('Contract error codes it explains.'),
    sources: z.array(source).default([]).describe('Third-party documents it states facts from.'),
    questions: questions.max(8).default([]),
    draft,
  })
  .refine(inOrder, outOfOrder)

export const page = z.strictObject({
  ...common,
  heading: z.string().min(3).max(80).describe('The h1, if it differs from the title.'),
  questions: questions
    .max(8)
    .default([])
    .describe('Used to measure the quality of /ask, as for articles.'),
})

/** A real person who agreed to be named. Made-up people appear only in examples. */
export const person = z.strictObject({
  name: z.string(),
  role: z.enum(['engineer', 'clinician', 'operations', 'counsel', 'editor']),
  bio: z.string().max(300).describe('Facts readers can check, such as a license and its state.'),
})

const tag = z.strictObject({ label: z.string(), description: z.string() })

const sample = z.strictObject({
  label: z.string().describe('What the reader is looking at, above the code.'),
  language: z.enum(['http', 'json', 'sh']),
  code: z.string(),
  note: z.string().optional().describe('A sentence under the code.'),
})

const link = z.strictObject({ label: z.string(), href: address })

export const home = z.strictObject({
  ...common,
  headline: z.string().max(60),
  lead: z.string().max(320),
  actions: z.array(link).length(2).describe('The main action, then the second one.'),
  hero: z.strictObject({
    request: sample,
    answer: sample,
    moves: z.strictObject({ label: z.string(), text: z.string() }),
  }),
  audiences: z
    .array(
      z.strictObject({ who: z.string(), text: z.string(), links: z.array(link).min(1).max(3) }),
    )
    .length(3),
  loop: z.strictObject({
    heading: z.string(),
    text: z.string(),
    steps: z
      .array(z.strictObject({ heading: z.string(), text: z.string(), sample, result: sample }))
      .length(4),
  }),
  measured: z.strictObject({ heading: z.string(), text: z.string(), link }),
  not_included: z.strictObject({
    heading: z.string(),
    text: z.string(),
    items: z.array(z.strictObject({ what: z.string(), why: z.string() })).min(5),
  }),
  start: z.strictObject({ heading: z.string(), text: z.string(), sample, result: sample }),
})

export const people = z.record(z.string(), person)
export const tags = z.record(z.string(), tag)

export type Article = z.infer<typeof article>
export type Comparison = z.infer<typeof comparison>
export type Doc = z.infer<typeof doc>
export type Page = z.infer<typeof page>
export type Person = z.infer<typeof person>
export type Tag = z.infer<typeof tag>
export type Home = z.infer<typeof home>
export type Sample = z.infer<typeof sample>
