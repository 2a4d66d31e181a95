import type { Rule } from '#content/records.ts'
import { readable } from './day.ts'

export type Sourced = {
  sources: { title: string; url: string; accessed: string; read_at?: string | undefined }[]
  rules?: Rule[]
}
type Cited = {
  title: string
  url: string
  when: string
  /** Where the source was read, if not at its own URL. */
  readAt?: { host: string; url: string }
}

/** A page's sources in one list: its documents and its expiring rules. */
export const citedIn = ({ sources, rules = [] }: Sourced): Cited[] => [
  ...sources.map(({ title, url, accessed, read_at }) => ({
    title,
    url,
    when: read(accessed),
    ...(read_at === undefined
      ? {}
      : { readAt: { host: new URL(read_at).host.replace(/^www\./, ''), url: read_at } }),
  })),
  ...rules.map(({ title, url, accessed, until }) => ({
    title,
    url,
    when: `${read(accessed)}, as in effect until ${readable(until)}`,
  })),
]

const read = (accessed: string) => `read ${readable(accessed)}`

/** When the page's rules expire. Empty if no rule expires. */
export function endNotice({ rules = [] }: Sourced): string[] {
  const [first] = rules.toSorted((one, other) => (one.until < other.until ? -1 : 1))
  if (first === undefined) return []
  return [
    `This page relies on “${first.title}” as in effect until ${readable(first.until)}. ${first.end}`,
  ]
}
