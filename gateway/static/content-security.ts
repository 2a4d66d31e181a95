/** A script with one of these types runs; any other type, such as JSON-LD, is data. */
const runs = /^(?:|module|importmap|speculationrules|(?:text|application)\/(?:java|ecma)script)$/i

/**
 * A built page's Content-Security-Policy: allows no external resources, and inline scripts and
 * styles only by their hashes.
 */
export function policyFor(html: string): string {
  const scripts = new Set<string>()
  const styles = new Set<string>()
  let styleAttributes = false
  new HTMLRewriter()
    .on('script', collect(scripts, true))
    .on('style', collect(styles, false))
    .on('[style]', {
      element() {
        styleAttributes = true
      },
    })
    .transform(html)
  return [
    `default-src 'none'`,
    `script-src ${["'self'", ...scripts].join(' ')}`,
    `style-src ${["'self'", ...styles].join(' ')}`,
    // The syntax highlighter sets colors with style attributes, which can't run or load anything.
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

/** An SVG opened directly is a document, so its policy lets it be displayed and nothing else. */
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
