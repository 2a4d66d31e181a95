import { describe, expect, test } from 'bun:test'
import { policyFor } from './content-security.ts'

function hash(text: string): string {
  return `'sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}'`
}

function directive(html: string, name: string): string | undefined {
  const all = policyFor(html).split('; ')
  return all.find(part => part.startsWith(`${name} `))?.slice(name.length + 1)
}

describe('a page’s Content-Security-Policy', () => {
  test('allows no inline code if the page has none', () => {
    const html =
      '<p>Plain</p><script src="/_astro/a.js"></script><link rel="stylesheet" href="/a.css">'
    expect(policyFor(html)).toContain(`default-src 'none'`)
    expect(directive(html, 'script-src')).toBe(`'self'`)
    expect(directive(html, 'style-src')).toBe(`'self'`)
    expect(policyFor(html)).not.toContain('unsafe')
  })

  test('allows each inline script and style by its hash', () => {
    const script = '\n  if (1 < 2 && "é" !== "&amp;") document.title = "x"\n'
    const style = 'a > b { color: red }'
    const html = `<style>${style}</style><script type="module">${script}</script><script>2</script>`
    expect(directive(html, 'script-src')).toBe(`'self' ${hash(script)} ${hash('2')}`)
    expect(directive(html, 'style-src')).toBe(`'self' ${hash(style)}`)
  })

  test('ignores data blocks, comments, empty elements and external scripts', () => {
    const html = [
      '<script type="application/ld+json">{"@type":"Article"}</script>',
      '<!-- <script>never()</script> -->',
      '<script></script>',
      '<script src="/a.js">ignored()</script>',
      '<textarea><script>text()</script></textarea>',
    ].join('')
    expect(directive(html, 'script-src')).toBe(`'self'`)
  })

  test('allows style attributes only if the page has some', () => {
    expect(directive('<pre style="color:#123">x</pre>', 'style-src-attr')).toBe(`'unsafe-inline'`)
    expect(directive('<pre>style="color:#123"</pre>', 'style-src-attr')).toBeUndefined()
  })

  test('is a single line for every page', () => {
    expect(policyFor(`<script>\r\n'; default-src *\r\n</script>`)).not.toMatch(
      /[\r\n]|default-src \*/,
    )
  })
})
