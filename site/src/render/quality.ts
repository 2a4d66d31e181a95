import type { Text } from '../catalog.ts'
import { markdownTable } from '../figures/figures.ts'
import { readable } from './day.ts'
import { depth, type Judged, type Measures, type Quality } from './evaluate.ts'
import { notTheProvider } from './notices.ts'
import { list, markdownPage } from './markdown-version.ts'

// The quality page and its Markdown version are made of the same rows and sentences.

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

export const measuresHead = ['Asked', 'Questions', 'nDCG@5', 'Recall@5', 'Answered first']

export function measuresRows({ served, blind, kinds }: Quality): string[][] {
  return [
    ['All, as served', ...cells(served)],
    ...kinds.map(each => [kindNames[each.kind] ?? each.kind, ...cells(each)]),
    ['All, with the questions left out of the index', ...cells(blind)],
  ]
}

export const method = [
  'The judged set is the questions that each article, guide and comparison lists in its frontmatter, in the words a reader would use. The page that lists a question is the right answer to it; if two pages list it, both are.',
  `Each is asked of the index of this build, with the code that answers on [/ask](/ask), and the first ${depth} links are measured. nDCG@5 is 1 when the right page is first, 0.63 when it is second, and 0 when it is not among the first ${depth}. Recall@5 is the share of right pages found at all.`,
  'A page’s questions are part of its text in the index, so the first row shows that listed questions are found. The last row asks the same of an index without them. It estimates the quality for other wordings, and it is expected to be lower.',
  'Every question with its place is in [/catalog/quality.json](/catalog/quality.json). A release does not ship below nDCG@5 of 0.9.',
] as const

const lower = ({ question, place, first }: Judged) =>
  `“${question}” ${place === null ? `is not answered among the first ${depth}` : `is answered in place ${place}`}; the first link is ${first === null ? 'none' : `[${first}](${first})`}.`

/** Served questions whose page is not the first link. */
export function servedMisses({ judged }: Quality): string[] {
  return judged.filter(({ place }) => place !== 1).map(lower)
}

export const blindMisses = (quality: Quality) => quality.blindMisses.map(lower)

export const noMiss = 'None: each question finds its page first.'
export const noBlindMiss = `None: each page is among the first ${depth}.`

export function qualityMarkdown(page: Text, quality: Quality): string {
  const listed = (lines: string[], none: string) => (lines.length === 0 ? none : list(lines))
  return markdownPage(page, [
    `# ${page.heading}`,
    page.description,
    `Updated ${readable(page.updated)}`,
    page.body,
    markdownTable(measuresHead, measuresRows(quality)),
    `## How it is measured\n\n${method.join('\n\n')}`,
    `## Questions that do not find their page first\n\n${listed(servedMisses(quality), noMiss)}`,
    `## Questions that miss without their own words\n\n${listed(blindMisses(quality), noBlindMiss)}`,
    notTheProvider,
  ])
}
