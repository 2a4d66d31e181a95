// Writes an email's text as plain text and as HTML. The HTML looks like the site, with its colors
// and dark mode, and loads no image or other external content.
import company from '#content/site.config.ts'
import { linked, markup, type Markup } from '#http/html/markup.ts'
import type { Line, Prose } from './prose.ts'

export const textOf = ({ lines, foot }: Prose): string => {
  const body = lines.map(line => {
    if (typeof line === 'string') return line
    if ('href' in line) return `${line.label}:\n${line.href}`
    if ('time' in line) return `${line.day}, ${line.time}\n${line.note}`
    return line.rows.map(([name, value]) => `${name}: ${value}`).join('\n')
  })
  return `${[...body, ...(foot.length > 0 ? ['-- ', ...foot] : [])].join('\n\n')}\n`
}

/** The site's colors, light and dark (site/src/styles/tokens.css). */
export const colors = {
  paper: ['#fbfaf6', '#12150f'],
  raised: ['#ffffff', '#1a1e17'],
  ink: ['#1b1f1a', '#ecede6'],
  quiet: ['#5c6459', '#a3aa9d'],
  hairline: ['#dedcd2', '#2e342b'],
  brand: ['#1f5b41', '#7cc49b'],
  onBrand: ['#ffffff', '#0f1d15'],
} as const

const display = "'Newsreader',Georgia,'Times New Roman',serif"
const text = "'Inter',-apple-system,'Segoe UI',Roboto,Arial,sans-serif"

/** Many email clients ignore variables, and some ignore all style sheets. These clients show the
 *  light colors. */
const [light, dark] = [0, 1].map(at => (name: keyof typeof colors) => colors[name][at] ?? '') as [
  (name: keyof typeof colors) => string,
  (name: keyof typeof colors) => string,
]

const sheet = `
  a { color: ${light('brand')}; }
  @media (prefers-color-scheme: dark) {
    .paper { background: ${dark('paper')} !important; }
    .card { background: ${dark('raised')} !important; border-color: ${dark('hairline')} !important; }
    .ink { color: ${dark('ink')} !important; }
    .quiet { color: ${dark('quiet')} !important; }
    .rule { border-color: ${dark('hairline')} !important; }
    .mark { border-color: ${dark('brand')} !important; }
    .button { background: ${dark('brand')} !important; color: ${dark('onBrand')} !important; }
    a { color: ${dark('brand')}; }
  }`

const paragraph = `margin:0 0 16px;font:16px/1.55 ${text};color:${light('ink')}`
const small = `margin:0 0 8px;font:13px/1.5 ${text};color:${light('quiet')}`
const button = `display:inline-block;padding:11px 20px;border-radius:3px;background:${light('brand')};color:${light('onBrand')};font:600 16px/1.4 ${text};text-decoration:none`
const moment = `margin:0 0 20px;padding:2px 0 2px 16px;border-left:3px solid ${light('brand')};font:16px/1.5 ${text};color:${light('ink')}`
const card = `max-width:560px;background:${light('raised')};border:1px solid ${light('hairline')};border-radius:3px`
const title = `margin:0 0 20px;font:500 28px/1.2 ${display};color:${light('ink')}`

/** A key makes a URL too long to read, so only the link contains it. */
const linkedShort = (line: string) =>
  linked(line, undefined, url => url.replace(/^https?:\/\//, '').replace(/\?.*/, ''))

function htmlLine(line: Line): Markup {
  if (typeof line === 'string') {
    return markup`<p class="ink" style="${paragraph}">${linkedShort(line)}</p>`
  }
  if ('href' in line) {
    const { label, href, isMain } = line
    return isMain
      ? markup`<p style="${paragraph}"><a class="button" href="${href}" style="${button}">${label}</a></p>`
      : markup`<p style="${paragraph}"><a href="${href}">${label}</a></p>`
  }
  if ('time' in line) {
    const { time, day, note } = line
    return markup`<p class="ink mark" style="${moment}"><strong style="font:500 24px/1.3 ${display}">${time}</strong><br>${day}<br><span class="quiet" style="font-size:13px;color:${light('quiet')}">${note}</span></p>`
  }
  const rows = line.rows.map(
    ([name, value]) =>
      markup`<tr><td class="quiet" style="padding:2px 16px 2px 0;color:${light('quiet')};vertical-align:top;white-space:nowrap">${name}</td><td style="white-space:pre-wrap;overflow-wrap:anywhere">${value}</td></tr>`,
  )
  return markup`<table role="presentation" class="ink" cellpadding="0" cellspacing="0" style="${paragraph}">${rows}</table>`
}

export const htmlOf = ({ subject, heading, lines, foot }: Prose): string =>
  markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${subject}</title><style>${sheet}</style></head>
<body class="paper" style="margin:0;background:${light('paper')}"><table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" style="background:${light('paper')}"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="${card}"><tr><td style="padding:24px 28px 12px">
<p class="ink" style="margin:0 0 24px;font:600 15px/1.4 ${text};color:${light('ink')}">${company.name}</p>
<h1 class="ink" style="${title}">${heading}</h1>
${lines.map(htmlLine)}
</td></tr>${footer(foot)}</table>
</td></tr></table></body></html>`.text

function footer(foot: readonly string[]): Markup | null {
  if (foot.length === 0) return null
  const lines = foot.map(
    line =>
      markup`<p class="quiet" style="${small};overflow-wrap:anywhere">${linkedShort(line)}</p>`,
  )
  return markup`<tr><td class="rule" style="padding:16px 28px 12px;border-top:1px solid ${light('hairline')}">${lines}</td></tr>`
}
