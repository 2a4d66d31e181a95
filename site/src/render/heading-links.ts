/** Adds a link to itself to each heading, for copying, unless the heading is already a link. */
export const linkHeadings = (html: string): string =>
  html.replace(/<(h[234]) id="([^"]+)">([\s\S]*?)<\/\1>/g, (all, tag, id, text: string) => {
    if (text.includes('<a ')) return all
    const words = text.replace(/<[^>]+>/g, '').replaceAll('"', '&quot;')
    return `<${tag} id="${id}">${text}<a class="anchor" href="#${id}" aria-label="Link to “${words}”">#</a></${tag}>`
  })

/** Removes headings' links to themselves, which don't work outside the page. */
export const withoutHeadingLinks = (html: string): string =>
  html.replace(/<a class="anchor"[^>]*>#<\/a>/g, '')
