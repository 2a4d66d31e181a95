/**
 * A script of these types runs; any other type, such as JSON-LD, is data that no policy touches.
 */
const runs = /^(?:|module|importmap|speculationrules|(?:text|application)\/(?:java|ecma)script)$/i

/**
 * The Content-Security-Policy of one built page: nothing from elsewhere, and of what is written
 * inside the page only what the build itself wrote, by its hash.
 */
export function policyFor(html: string): string {
  const scripts = new Set<string>()
  const styles = new Set<string>()
  let styleAttributes = false
  let writesStyles = false
  new HTMLRewriter()
    .on('script', collect(scripts, true))
    .on('style', collect(styles, false))
    .on('[data-inline-styles]', {
      element() {
        writesStyles = true
      },
    })
    .on('[style]', {
      element() {
        styleAttributes = true
      },
    })
    .transform(html)
  return [
    `default-src 'none'`,
    `script-src ${["'self'", ...scripts].join(' ')}`,
    // A page may say that its program writes styles. A style can neither run nor, as the rest of
    // this policy has it, load anything from elsewhere.
    `style-src ${["'self'", ...(writesStyles ? ["'unsafe-inline'"] : styles)].join(' ')}`,
    // The highlighter writes colours as attributes; such an attribute can neither run nor load
    // anything.
    ...(styleAttributes ? [`style-src-attr 'unsafe-inline'`] : []),
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `manifest-src 'self'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ')
}

/** An SVG opened by itself is a document; it may paint, and nothing else. */
export const policyForSvg = `default-src 'none'; style-src 'unsafe-inline'; sandbox`

function collect(
  hashes: Set<string>,
  isScript: boolean,
): HTMLRewriterTypes.HTMLRewriterElementContentHandlers {
  let inside = false
  let text = ''
  return {
    element(element) {
      const type = element.getAttribute('type')?.trim() ?? ''
      inside = isScript ? element.getAttribute('src') === null && runs.test(type) : true
      text = ''
    },
    text(chunk) {
      if (!inside) return
      text += chunk.text
      if (!chunk.lastInTextNode) return
      hashes.add(`'sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}'`)
    },
  }
}
