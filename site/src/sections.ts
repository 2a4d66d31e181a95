export type Section = { id: string; heading: string; html: string }

/** Splits rendered text at its headings of a level: an intro, and a section for each heading. */
export function sectionsOf(html: string, level: 2 | 3 = 2): { intro: string; sections: Section[] } {
  const heading = new RegExp(`<h${level}\\b[^>]*\\bid="([^"]+)"[^>]*>([\\s\\S]*?)</h${level}>`, 'g')
  const starts = [...html.matchAll(heading)]
  const sections = starts.map((start, at) => {
    const [all, id = '', inner = ''] = start
    const text = html.slice(start.index + all.length, starts[at + 1]?.index).trim()
    return { id, heading: inner, html: text }
  })
  return { intro: html.slice(0, starts[0]?.index).trim(), sections }
}

/** Everything up to a text's last table, including its wrapper, and the text after it. */
export function splitAfterTables(html: string): readonly [tables: string, text: string] {
  const at = html.indexOf('<p>', html.lastIndexOf('</table>'))
  return at < 0 ? [html, ''] : [html.slice(0, at), html.slice(at)]
}

/** The items of a text's lists as HTML. */
export const itemsOf = (html: string): string[] =>
  [...html.matchAll(/<li>([\s\S]*?)<\/li>/g)].map(([, inner = '']) => inner.trim())
