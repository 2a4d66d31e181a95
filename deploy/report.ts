// What a reviewer reads beside a change: which rules it breaks, what answers, what differs.
// Markdown, as code hosts show it under a pull request.
import { type Changes, describeAsked, type Page } from './changed.ts'
import type { Part } from './difference.ts'

export type Found = {
  path: string
  line: number
  rule: string
  message: string
  fix: string
  level?: string
}

const pagesMax = 20
const paragraphsMax = 8

/** `said` is what the publication said on its way, its faults among it. */
export function reportOf(
  said: readonly string[],
  found: readonly Found[],
  changes?: Changes,
): string {
  const isDone = !said.some(line => line.startsWith('FAILED'))
  return [
    `### ${isDone ? 'This can be published' : 'This cannot be published yet'}`,
    fenced(said),
    ...(changes === undefined ? [] : told(changes, found)),
  ].join('\n\n')
}

function told(changes: Changes, found: readonly Found[]): string[] {
  const { pages, listed, asked } = changes
  const names = new Set(pages.map(({ page }) => page.slice(page.lastIndexOf('/') + 1)))
  const own = found.filter(({ path }) => names.has(path.replace(/^.*\/|\.\w+$/g, '')))
  const rules = own.map(
    ({ path, line, rule, message, fix }) => `- \`${path}:${line}\` ${rule}: ${message} → ${fix}`,
  )
  const moved = describeAsked(asked)
  return [
    ...(rules.length === 0 ? [] : ['#### What may be better', rules.join('\n')]),
    '#### Pages',
    ...(pages.length === 0 ? ['None changed.'] : pages.slice(0, pagesMax).map(pageOf)),
    ...(pages.length > pagesMax ? [`And ${pages.length - pagesMax} more.`] : []),
    ...(listed.length === 0 ? [] : ['#### llms.txt', fenced(listed.map(signed), 'diff')]),
    ...(moved.length === 0 ? [] : ['#### /ask', moved.map(line => `- ${line}`).join('\n')]),
  ]
}

function pageOf({ kind, page, paragraphs }: Page): string {
  const rest = paragraphs.length - paragraphsMax
  return [
    `**${page}** ${kind}`,
    ...paragraphs.slice(0, paragraphsMax).map(paragraph => `> ${paragraph.map(marked).join('')}`),
    ...(rest > 0 ? [`and ${rest} more paragraphs`] : []),
  ].join('\n\n')
}

/** How much of what stayed shows where something changed. */
const around = 60

function marked({ kind, text }: Part): string {
  const plain = text.replaceAll(/[<>\\*~`]/g, '\\$&').trimEnd()
  const space = text.slice(text.trimEnd().length)
  if (kind === 'added') return `**${plain}**${space}`
  if (kind === 'removed') return `~~${plain}~~${space}`
  const short =
    plain.length > 2 * around ? `${plain.slice(0, around)} … ${plain.slice(-around)}` : plain
  return short + space
}

const signed = ({ kind, text }: Part) => `${kind === 'added' ? '+' : '-'} ${text}`

/** More backticks than any line in it begins with. */
const fenced = (lines: readonly string[], language = 'text') =>
  ['``````', language, '\n', lines.join('\n'), '\n``````'].join('')
