// The report on a change for its reviewer: rules that the change breaks, and what readers will
// notice. The report is Markdown for a comment on a pull request.
import { type Changes, describeHead, describeSearch, type Page } from './changes.ts'
import type { Part } from './difference.ts'

export type Finding = {
  path: string
  line: number
  rule: string
  message: string
  fix: string
  level?: string
}

const pagesMax = 20
const paragraphsMax = 8

/** `log` is the publication's output, including errors. */
export function reportOf(
  log: readonly string[],
  found: readonly Finding[],
  changes?: Changes,
): string {
  const isDone = !log.some(line => line.startsWith('FAILED'))
  return [
    `### ${isDone ? 'Ready to publish' : 'Can’t be published yet'}`,
    fenced(log),
    ...(changes === undefined ? [] : sectionsOf(changes, found)),
  ].join('\n\n')
}

function sectionsOf(changes: Changes, found: readonly Finding[]): string[] {
  const { pages, listed, search } = changes
  const names = new Set(pages.map(({ page }) => page.slice(page.lastIndexOf('/') + 1)))
  const own = found.filter(({ path }) => names.has(path.replace(/^.*\/|\.\w+$/g, '')))
  const rules = own.map(
    ({ path, line, rule, message, fix }) => `- \`${path}:${line}\` ${rule}: ${message} → ${fix}`,
  )
  const searchLines = describeSearch(search)
  return [
    ...(rules.length === 0 ? [] : ['#### Suggestions', rules.join('\n')]),
    '#### Pages',
    ...(pages.length === 0 ? ['None changed.'] : pages.slice(0, pagesMax).map(pageOf)),
    ...(pages.length > pagesMax ? [`And ${pages.length - pagesMax} more.`] : []),
    ...(listed.length === 0 ? [] : ['#### llms.txt', fenced(listed.map(signed), 'diff')]),
    ...(searchLines.length === 0
      ? []
      : ['#### /ask', searchLines.map(line => `- ${line}`).join('\n')]),
  ]
}

function pageOf({ kind, page, heads, paragraphs }: Page): string {
  const rest = paragraphs.length - paragraphsMax
  return [
    `**${page}** ${kind}`,
    ...heads.map(head => `> ${escaped(describeHead(head))}`),
    ...paragraphs.slice(0, paragraphsMax).map(paragraph => `> ${paragraph.map(marked).join('')}`),
    ...(rest > 0 ? [`and ${rest} more paragraphs`] : []),
  ].join('\n\n')
}

/** The number of unchanged characters shown around a change. */
const around = 60

/** Escapes text so Markdown shows it unchanged. */
const escaped = (text: string) => text.replaceAll(/[<>\\*~`]/g, '\\$&')

function marked({ kind, text }: Part): string {
  const plain = escaped(text).trimEnd()
  const space = text.slice(text.trimEnd().length)
  if (kind === 'added') return `**${plain}**${space}`
  if (kind === 'removed') return `~~${plain}~~${space}`
  const short =
    plain.length > 2 * around ? `${plain.slice(0, around)} … ${plain.slice(-around)}` : plain
  return short + space
}

const signed = ({ kind, text }: Part) => `${kind === 'added' ? '+' : '-'} ${text}`

/** A code block with more backticks than any line starts with. */
const fenced = (lines: readonly string[], language = 'text') =>
  ['``````', language, '\n', lines.join('\n'), '\n``````'].join('')
