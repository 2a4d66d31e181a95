import { type Entry, parseMarkdown } from './entry.ts'
import type { Finding } from './finding.ts'

/**
 * Reads changelog.md, which is for integrators; `/changelog` shows it. Changes that only operators
 * notice are in deploy/README.md.
 */

const surfaces = ['site', 'api', 'sdk', 'cli', 'mcp']
const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed']
const label = /^([a-z]+)(, breaking)?(?:, until (\d{4}-\d{2}-\d{2}))?: (?=\S)/

/** One bullet with its headings and its first line. */
type Bullet = { day: string; kind: string; text: string; line: number }

/** Parses the changelog; its records are the bullets with one of the site's labels. */
export function parseChangelog(path: string, source: string): Entry {
  const entry = parseMarkdown(path, source)
  const data = bulletsOf(source).flatMap(({ day, kind, text }) => {
    const [head = '', surface = '', breaking, sunset] = label.exec(text) ?? []
    if (!surfaces.includes(surface)) return []
    const title = text.slice(head.length)
    const ends = sunset === undefined ? {} : { sunset }
    const record = { date: day, kind: kind.toLowerCase(), surface, title }
    return [{ ...record, breaking: breaking !== undefined, ...ends }]
  })
  // Removes the heading, because the page has its own title.
  const body = entry.body.replace(/^# .*\n/, '')
  return { ...entry, name: 'changelog', data, body, bodyStart: 2 }
}

function bulletsOf(source: string): Bullet[] {
  const bullets: Bullet[] = []
  let [day, kind] = ['', '']
  let open: Bullet | undefined
  for (const [at, line] of source.split(/\r?\n/).entries()) {
    const heading = /^(##|###) (.+)$/.exec(line)
    if (heading?.[1] === '##') [day, kind] = [heading[2] ?? '', '']
    else if (heading?.[1] === '###') kind = heading[2] ?? ''
    if (line.startsWith('- ')) {
      open = { day, kind, text: line.slice(2), line: at + 1 }
      bullets.push(open)
    } else if (/^ {2}\S/.test(line) && open !== undefined) open.text += ` ${line.trim()}`
    else open = undefined
  }
  return bullets
}

/** Reports bullets without a day, a kind or a label. */
export function checkChangelog({ path, source }: Entry): Finding[] {
  const found = (line: number, rule: string, message: string, fix: string): Finding[] => [
    { path, line, column: 1, rule, message, fix },
  ]
  const labels = surfaces.map(name => `\`${name}:\``).join(', ')
  return bulletsOf(source).flatMap(({ day, kind, text, line }) => {
    if (text.startsWith('WRITE: ')) return []
    if (!/^\d{4}-\d{2}-\d{2}$/.test(day))
      return found(line, 'F-date', 'a change must be under its date', 'move it under ## YYYY-MM-DD')
    if (!kinds.includes(kind))
      return found(
        line,
        'F-kind',
        `${kind} must be a known change type`,
        `put it under ### ${kinds.join(' or ### ')}`,
      )
    if (surfaces.includes(label.exec(text)?.[1] ?? '')) return []
    return found(
      line,
      'F-surface',
      'a change must start with a label',
      `start it with one of ${labels}`,
    )
  })
}

/** Adds an unfinished line under today's date and “Added”. */
export function withChange(source: string, title: string, today: string): string {
  const line = `- WRITE: one of ${surfaces.join(', ')}: ${title}`
  const [head = '', ...days] = source.split(/^(?=## )/m)
  const [newest = '', ...older] = days
  if (!newest.startsWith(`## ${today}\n`))
    return [head, `## ${today}\n\n### Added\n\n${line}\n\n`, ...days].join('')
  const [top = '', ...parts] = newest.split(/^(?=### )/m)
  const at = parts.findIndex(part => part.startsWith('### Added\n'))
  const own = (parts[at] ?? '### Added\n\n').replace(/\n*$/, '\n')
  const isFirst = !own.includes('\n- ')
  const grown = `${isFirst ? own.replace(/\n*$/, '\n\n') : own}${line}\n`
  const rest = parts.filter((_, index) => index !== at)
  const gap = rest.length + older.length > 0 ? '\n' : ''
  return [head, top, grown, gap, ...rest, ...older].join('')
}
