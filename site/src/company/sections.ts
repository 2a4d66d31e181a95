export type Section = { id: string; heading: string; html: string }

/** Rendered text: what is before its first heading of a level, and a part for each heading. */
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

/** The items of the lists in a text, as HTML. */
export const itemsOf = (html: string): string[] =>
  [...html.matchAll(/<li>([\s\S]*?)<\/li>/g)].map(([, inner = '']) => inner.trim())
