import type { Text } from '../catalog.ts'
import { markdownTable } from '../figures/figures.ts'
import { readable } from '../render/day.ts'
import type { ReaderMeasures } from '#content/ranking/judged.ts'
import { depth, type Judged, type Measures, type Quality } from './evaluate.ts'
import { notTheProvider } from '../render/notices.ts'
import { list, markdownPage } from './markdown-version.ts'

// The quality page and its Markdown version are built from the same rows and sentences.

const kindNames: Readonly<Record<string, string>> = {
  article: 'Articles',
  guide: 'Guides',
  comparison: 'Comparisons',
  page: 'Pages',
}

const cells = ({ questions, ndcg_at_5: ndcg, recall_at_5: recall, first }: Measures) => [
  String(questions),
  ndcg.toFixed(3),
  recall.toFixed(3),
  first.toFixed(3),
]

const shareOf = (value: number) => `${Math.round(value * 100)} %`

export const readersHead = [
  'Readers’ questions',
  'Questions',
  'Right page first',
  'In the top five',
  'nDCG@5',
  'Emergencies first',
]

export function readersRows({ readers }: Quality): string[][] {
  const row = (name: string, measured: ReaderMeasures) => [
    name,
    String(measured.questions),
    shareOf(measured.first),
    shareOf(measured.among_5),
    measured.ndcg_at_5.toFixed(3),
    `${measured.emergencies_first} of ${measured.emergencies}`,
  ]
  return [
    row('Independent', readers.independent),
    row('Held out', readers.held_out),
    row('Held out, earlier set', readers.earlier),
    row('Used for improvements', readers.development),
  ]
}

const readersMethod = [
  'The first table uses questions a buyer, an engineer, a nurse or an operator might ask. We wrote the questions from a reader’s task (a goal, a symptom, an error, a complaint) before reading the pages or the ranking. Then we graded every page 2 (answers) or 1 (helps). Questions are split in half by SHA-256 hash. We improve the ranking and the pages with one half, and check the other half only after a change is finished. The same person wrote those questions and our first search phrases, so these numbers flatter us.',
  'Someone else wrote the independent questions in everyday words before seeing a page, and graded them by reading the pages, without the search. We didn’t use them to improve anything. Expect numbers like these for your own questions.',
  'A different author, who knew our page titles, wrote the earlier set. We didn’t read its held-out questions for the latest improvements, but we saw their totals when we first chose the ranking. Its other half is among the questions used for improvements.',
  'For the latest improvements, somebody who had read none of the held-out or independent questions wrote 484 more. They aren’t measured here: the same person then wrote about 2,800 phrases for the pages, with those questions in mind. In between, they saw both sets’ totals three times.',
  'The right page is any with the top grade for that question. For emergencies, only first place counts.',
] as const

/** How many unrelated questions get no link. */
export const offTopicLine = ({ off_topic: { questions, refused } }: Quality) =>
  `Of ${questions} questions about something else, such as pizza or flights, ${refused} get no links, just our topics and how to reach us. The others share words with our pages, as “order a pizza online” does. A stricter rule would also refuse questions that mix a topic we cover with one we don’t.`

export const measuresHead = ['Asked', 'Questions', 'nDCG@5', 'Recall@5', 'Answered first']

export function measuresRows({ served, blind, kinds }: Quality): string[][] {
  return [
    ['All, as served', ...cells(served)],
    ...kinds.map(each => [kindNames[each.kind] ?? each.kind, ...cells(each)]),
    ['All, with questions excluded from the index', ...cells(blind)],
  ]
}

export const method = [
  ...readersMethod,
  'The second table uses the questions that each article, guide and comparison lists for itself. The page that lists a question is the right answer; if two pages list it, both are. This shows whether search finds pages by what they promise, and says nothing about other questions.',
  `We ask each one against this build’s index, with the code behind [/ask](/ask), and measure the first ${depth} links. nDCG@5 is 1 when the right page is first, 0.63 when it is second, and 0 when it is not among the first ${depth}. Recall@5 is the share of right pages found at all.`,
  'A page’s questions are part of its text in the index. The last row uses an index that excludes them.',
  'Every question and its rank are in [/catalog/quality.json](/catalog/quality.json).',
] as const

const lower = ({ question, place, first }: Judged) =>
  `“${question}” ${place === null ? `isn’t answered in the top ${depth}` : `ranks ${place}`}; the first link is ${first === null ? 'none' : `[${first}](${first})`}.`

/** Served questions whose page isn't the first link. */
export function servedMisses({ judged }: Quality): string[] {
  return judged.filter(({ place }) => place !== 1).map(lower)
}

export const blindMisses = (quality: Quality) => quality.blindMisses.map(lower)

export const noMiss = 'None. Every question finds its page first.'
export const noBlindMiss = `None. Every page is in the top ${depth}.`

export function qualityMarkdown(page: Text, quality: Quality): string {
  const listed = (lines: string[], none: string) => (lines.length === 0 ? none : list(lines))
  return markdownPage(page, [
    `# ${page.heading}`,
    page.description,
    `Updated ${readable(page.updated)}`,
    page.body,
    markdownTable(readersHead, readersRows(quality)),
    offTopicLine(quality),
    markdownTable(measuresHead, measuresRows(quality)),
    `## How we measure it\n\n${method.join('\n\n')}`,
    `## Questions whose page isn’t ranked first\n\n${listed(servedMisses(quality), noMiss)}`,
    `## Misses when a page’s own questions are excluded\n\n${listed(blindMisses(quality), noBlindMiss)}`,
    notTheProvider,
  ])
}
