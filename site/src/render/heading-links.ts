/** Adds a link to itself to each heading, for copying. A heading that is a link gets none. */
export const linkHeadings = (html: string): string =>
  html.replace(/<(h[234]) id="([^"]+)">([\s\S]*?)<\/\1>/g, (all, tag, id, text: string) => {
    if (text.includes('<a ')) return all
    const words = text.replace(/<[^>]+>/g, '').replaceAll('"', '&quot;')
    return `<${tag} id="${id}">${text}<a class="anchor" href="#${id}" aria-label="Link to “${words}”">#</a></${tag}>`
  })

/** Readers outside the page can't use its anchors. */
export const withoutHeadingLinks = (html: string): string =>
  html.replace(/<a class="anchor"[^>]*>#<\/a>/g, '')
