import { afterAll, describe, expect, test } from 'bun:test'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sampleFiles, writeSampleSite } from '../testing/site.ts'
import { loadSite } from './static.ts'

const folder = writeSampleSite()
symlinkSync('/etc/hostname', join(folder, 'outside.txt'))
const site = loadSite(folder)
afterAll(() => rmSync(folder, { recursive: true }))

function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Response {
  return site.serve(new Request(`http://localhost${path}`, { method, headers }))
}

const markdown = { accept: 'text/markdown' }
const html = { accept: 'text/html' }

describe('site: 200', () => {
  test('a page has the requested format, and varies on Accept', async () => {
    for (const [path, name] of [
      ['/', 'index'],
      ['/pricing', 'pricing'],
      ['/blog', 'blog/index'],
      ['/blog/first-visit', 'blog/first-visit'],
      ['/blog/caf%C3%A9%20au%20lait', 'blog/café au lait'],
    ] as const) {
      const page = get(path, html)
      expect(page.status).toBe(200)
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(page.headers.get('vary')).toBe('Accept, Accept-Encoding')
      expect(await page.text()).toBe(sampleFiles[`${name}.html`] ?? '')
      const markdownVersion = get(path, markdown)
      expect(markdownVersion.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
      expect(markdownVersion.headers.get('vary')).toBe('Accept, Accept-Encoding')
      const direct = get(encodeURI(`/${name}.md`))
      expect(await markdownVersion.text()).toBe(await direct.text())
      expect(markdownVersion.headers.get('etag')).toBe(direct.headers.get('etag'))
      expect(markdownVersion.headers.get('etag')).not.toBe(page.headers.get('etag'))
    }
  })

  test('wildcards and refused Markdown get HTML', () => {
    for (const accept of ['*/*', 'text/html, text/markdown;q=0.5', 'text/markdown;q=0, */*']) {
      expect(get('/', { accept }).headers.get('content-type')).toBe('text/html; charset=utf-8')
    }
  })

  test('a page without a Markdown version is HTML for every client and does not vary on Accept', () => {
    const answer = get('/about', markdown)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('vary')).toBe('Accept-Encoding')
  })

  test('media types', () => {
    const types = {
      '/auth.md': 'text/markdown; charset=utf-8',
      '/llms.txt': 'text/plain; charset=utf-8',
      '/feed.xml': 'application/rss+xml; charset=utf-8',
      '/sitemap.xml': 'application/xml; charset=utf-8',
      '/openapi.json': 'application/json',
      '/openapi.yaml': 'application/yaml',
      '/favicon.ico': 'image/x-icon',
      '/logo.svg': 'image/svg+xml',
      '/assets/site.dyt-pHhN.css': 'text/css; charset=utf-8',
      '/assets/site.dyt-pHhN.js': 'text/javascript; charset=utf-8',
      '/assets/inter.dyt-pHhN.woff2': 'font/woff2',
      '/.well-known/api-catalog':
        'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      '/.well-known/mcp.json': 'application/json',
    }
    for (const [path, type] of Object.entries(types)) {
      const answer = get(path)
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, type])
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    }
    expect(get('/assets/inter.dyt-pHhN.woff2').headers.get('vary')).toBeNull()
    expect(get('/auth.md', markdown).headers.get('vary')).toBe('Accept-Encoding')
  })

  test('every encoding has the same text under its own tag', async () => {
    const tags = new Set<string | null>()
    for (const [coding, header] of [
      ['br', 'gzip, br, zstd'],
      ['gzip', 'gzip, deflate'],
      [null, 'identity'],
    ] as const) {
      const answer = get('/pricing', { ...html, 'accept-encoding': header })
      expect(answer.headers.get('content-encoding')).toBe(coding)
      tags.add(answer.headers.get('etag'))
    }
    expect(tags.size).toBe(3)
    // The compressed copies are larger than the file.
    expect(get('/api/llms.txt', { 'accept-encoding': 'br' }).headers.has('content-encoding')).toBe(
      false,
    )
  })

  test('every file has caching, version, quota and security headers', () => {
    for (const path of ['/', '/pricing.md', '/robots.txt', '/assets/site.dyt-pHhN.css', '/none']) {
      const { headers } = get(path)
      expect(headers.get('api-version')).toBe('2026-08-23')
      expect(headers.get('ratelimit-policy')).toBe('"default";q=300;w=60')
      expect(headers.has('ratelimit')).toBe(false)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
    }
    const page = 'public, max-age=300, s-maxage=3600, stale-while-revalidate=86400'
    expect(get('/').headers.get('cache-control')).toBe(page)
    const hashed = get('/assets/site.dyt-pHhN.css').headers.get('cache-control')
    expect(hashed).toBe('public, max-age=31536000, immutable')
    expect(get('/assets/unhashed.css').headers.get('cache-control')).toBe(page)
  })

  test('Link headers point to the Markdown version, the canonical page, and the home page’s files', () => {
    const markdownVersion = '</pricing.md>; rel="alternate"; type="text/markdown"'
    const list = '</llms.txt>; rel="describedby"; type="text/plain"'
    expect(get('/pricing', html).headers.get('link')).toBe(`${markdownVersion}, ${list}`)
    const canonical = `</pricing>; rel="canonical", ${list}`
    expect(get('/pricing', markdown).headers.get('link')).toBe(canonical)
    expect(get('/pricing.md').headers.get('link')).toBe(canonical)
    expect(get('/index.md').headers.get('link')).toBe('</>; rel="canonical"')
    expect(get('/auth.md').headers.has('link')).toBe(false)
    const home = get('/', html).headers.get('link') ?? ''
    expect(home).toContain('</.well-known/api-catalog>; rel="api-catalog"')
    expect(home).toContain('</index.md>; rel="alternate"; type="text/markdown"')
    expect(home).not.toContain('ai-catalog')
    expect(home).not.toContain('developers')
  })

  test('HEAD has the length and no body', async () => {
    const whole = get('/pricing', { ...html, 'accept-encoding': 'br' })
    const head = get('/pricing', { ...html, 'accept-encoding': 'br' }, 'HEAD')
    expect(head.headers.get('content-length')).toBe(String((await whole.bytes()).length))
    expect(head.headers.get('etag')).toBe(whole.headers.get('etag'))
    expect(head.body).toBeNull()
  })

  test('changing one response does not change another', async () => {
    const first = get('/pricing', html)
    first.headers.set('x-request-id', 'one')
    await first.text()
    const second = get('/pricing', html)
    expect(second.headers.has('x-request-id')).toBe(false)
    expect(await second.text()).toBe(sampleFiles['pricing.html'] ?? '')
  })
})

describe('site: 304', () => {
  const etag = get('/pricing', html).headers.get('etag') ?? ''

  test('for the entity tag in every RFC 9110 format', () => {
    for (const value of [etag, `W/${etag}`, `"x", ${etag}`, `"a,b" , W/${etag},"c"`, '*', ' * ']) {
      const answer = get('/pricing', { ...html, 'if-none-match': value })
      expect([value, answer.status]).toEqual([value, 304])
      expect(answer.body).toBeNull()
      expect(answer.headers.get('etag')).toBe(etag)
      expect(answer.headers.get('vary')).toBe('Accept, Accept-Encoding')
      expect(answer.headers.get('cache-control')).toContain('max-age=300')
      expect(answer.headers.get('api-version')).toBe('2026-08-23')
      for (const name of ['content-type', 'content-length', 'content-encoding']) {
        expect(answer.headers.has(name)).toBe(false)
      }
    }
    expect(get('/pricing', { ...html, 'if-none-match': etag }, 'HEAD').status).toBe(304)
  })

  test('not for another tag, format or coding, or a missing page', () => {
    for (const value of [
      '"other"',
      etag.slice(1, -1),
      '',
      'W/',
      '"*"',
      `"${etag.slice(1, -1)}x"`,
    ]) {
      expect(get('/pricing', { ...html, 'if-none-match': value }).status).toBe(200)
    }
    expect(get('/pricing', { ...markdown, 'if-none-match': etag }).status).toBe(200)
    const coded = { ...html, 'accept-encoding': 'br', 'if-none-match': etag }
    expect(get('/pricing', coded).status).toBe(200)
    expect(get('/none', { 'if-none-match': '*' }).status).toBe(404)
  })
})

describe('site: 308', () => {
  test('every other path to a page redirects to its clean URL, with the query', () => {
    const moves = {
      '/pricing/': '/pricing',
      '/pricing.html': '/pricing',
      '/pricing.html/': '/pricing',
      '/index.html': '/',
      '/index': '/',
      '/blog/': '/blog',
      '/blog/index.html': '/blog',
      '/blog/index': '/blog',
      '/llms.txt/?a=b': '/llms.txt?a=b',
      '/pricing/?utm=1&x=%0d%0aset-cookie:a': '/pricing?utm=1&x=%0d%0aset-cookie:a',
      '/blog/caf%C3%A9%20au%20lait.html': '/blog/caf%C3%A9%20au%20lait',
      '/blog/caf%C3%A9%20au%20lait/': '/blog/caf%C3%A9%20au%20lait',
    }
    for (const [path, location] of Object.entries(moves)) {
      const answer = get(path)
      expect([path, answer.status]).toEqual([path, 308])
      expect(answer.headers.get('location')).toBe(location)
    }
  })

  test('never redirects to another site', () => {
    for (const path of [
      '//elsewhere.example/',
      '//elsewhere.example/pricing/',
      '/\\elsewhere.example/',
    ]) {
      expect(get(path).status).toBe(404)
    }
  })
})

describe('site: 404', () => {
  test('is Markdown unless the client accepts HTML by name', async () => {
    for (const accept of ['*/*', 'text/markdown']) {
      const answer = get('/blog/no-such-article', { accept })
      expect(answer.status).toBe(404)
      expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
      expect(answer.headers.get('vary')).toBe('Accept, Accept-Encoding')
      expect(await answer.text()).toContain('/llms.txt')
    }
    const answer = get('/blog/no-such-article', html)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.has('etag')).toBe(false)
  })

  test('hidden files, symbolic links, compressed copies and malformed paths', () => {
    for (const path of [
      '/.env',
      '/.private/secret.txt',
      '/outside.txt',
      '/404',
      '/404.html',
      '/404.md',
      '/pricing.html.br',
      '/auth',
      '/blog%2Ffirst-visit',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/..%2f..%2fetc/passwd',
      '/blog/..%5c..%5cindex.html',
      '/pricing%00',
      '/pricing%00.html',
      '/%',
      '/%zz',
      '/%ff',
      '/__proto__',
      '/constructor',
      '/pricing//',
      `/${'a'.repeat(100_000)}`,
      `/${'%41'.repeat(50_000)}`,
    ]) {
      expect([path.slice(0, 40), get(path).status]).toEqual([path.slice(0, 40), 404])
    }
  })
})

describe('site: 405', () => {
  test('a file can only be read, and Allow lists the methods', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const answer = get('/pricing', {}, method)
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toBe('GET, HEAD')
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
      expect(await answer.json()).toMatchObject({ status: 405, code: 'method_not_allowed' })
    }
    expect(get('/none', {}, 'POST').status).toBe(404)
  })
})

describe('site: loading', () => {
  test('refuses a folder without a site', () => {
    expect(() => loadSite(join(folder, 'blog/none'))).toThrow()
    expect(() => loadSite(join(folder, '.well-known'))).toThrow('no built site')
  })

  test('returns 404 if the build has no "not found" page', async () => {
    const bare = writeSampleSite()
    for (const name of ['404.html', '404.md']) rmSync(join(bare, name))
    const answer = loadSite(bare).serve(new Request('http://localhost/none', { headers: html }))
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('/llms.txt')
    rmSync(bare, { recursive: true })
  })

  test('identical files have the same entity tag, and later changes on disk have no effect', () => {
    const again = loadSite(folder).serve(new Request('http://localhost/pricing'))
    expect(again.headers.get('etag')).toBe(get('/pricing').headers.get('etag'))
    writeFileSync(join(folder, 'pricing.html'), 'changed')
    expect(get('/pricing').headers.get('etag')).toBe(again.headers.get('etag'))
  })
})
