import { figures as names } from '#content/paths.ts'
import { escape } from '../render/escape.ts'
import { caseStates } from './case-states.ts'
import { commitOrder } from './commit-order.ts'
import { cutConnection } from './cut-connection.ts'
import type { Figure } from './figure.ts'
import { stateDiagrams } from './state-diagrams.ts'
import { retrySchedule } from './retry-schedule.ts'
import { visitStates } from './visit-states.ts'

const drawn = new Map(
  [retrySchedule, cutConnection, commitOrder, caseStates, visitStates, ...stateDiagrams].map(
    figure => [figure.name, figure],
  ),
)

/** The drawing with this name. The content check has rejected unknown names. */
export function figure(name: string): Figure {
  const found = drawn.get(name)
  if (found === undefined) throw new Error(`no drawing is called ${name}: ${names.join(', ')}`)
  return found
}

const images = /<p><img src="figure:([a-z-]+)" alt="([^"]*)"\s*\/?><\/p>/g

/** Inserts a drawing with its caption and table where an article requests it. */
export function drawFigures(html: string): string {
  return html.replace(images, (_, name: string, caption: string) => {
    const { svg, head, rows } = figure(name)
    const table = htmlTable(head, rows)
    return [
      `<figure class="figure" data-figure="${name}">`,
      scrolling(svg.replace('<svg', `<svg role="img" aria-label="${caption}"`)),
      // The caption contains the table, because a caption must come last in a figure.
      `<figcaption>${caption}`,
      `<details><summary>View as a table</summary>${table}</details></figcaption></figure>`,
    ].join('')
  })
}

/** The widest drawing that is readable on a phone without scrolling. */
const phoneWidth = 400

/** A wider drawing keeps its size and scrolls, as tables do. */
function scrolling(svg: string): string {
  const width = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1])
  if (!(width > phoneWidth)) return svg
  return `<div class="figure-scroll" tabindex="0" role="group" aria-label="Drawing">${svg}</div>`
}

/** Renders a figure for the feed as its table, because feed readers remove drawings. */
export function tabulateFigures(html: string): string {
  return html.replace(
    /<figure class="figure" data-figure="([a-z-]+)">[\s\S]*?<figcaption>([^<]*)<[\s\S]*?<\/figure>/g,
    (_, name: string, caption: string) => {
      const { head, rows } = figure(name)
      return `<p>${caption}</p>${htmlTable(head, rows)}`
    },
  )
}

/** Renders a figure for the Markdown version: its caption and a Markdown table. */
export function describeFigures(markdown: string): string {
  return markdown.replace(
    /^!\[([^\]]*)\]\(figure:([a-z-]+)\)$/gm,
    (_, caption: string, name: string) => {
      const { head, rows } = figure(name)
      return `${caption}\n\n${markdownTable(head, rows)}`
    },
  )
}

export function markdownTable(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function htmlTable(head: string[], rows: string[][]): string {
  const cells = (tag: string, row: string[]) =>
    row.map(cell => `<${tag}>${escape(cell)}</${tag}>`).join('')
  const body = rows.map(row => `<tr>${cells('td', row)}</tr>`).join('')
  return `<table><thead><tr>${cells('th', head)}</tr></thead><tbody>${body}</tbody></table>`
}
