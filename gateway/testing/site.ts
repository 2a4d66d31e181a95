import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** A small built site: real files with their compressed copies. */
export const sampleFiles: Readonly<Record<string, string>> = {
  'index.html': page('Home', '<p>Care from anywhere.</p>'),
  'index.md': '---\ntitle: Home\n---\n\n# Home\n',
  'pricing.html': page('Pricing', '<p>One price.</p>'.repeat(200)),
  'pricing.md': `---\ntitle: "Pricing"\n---\n\n${'One price. '.repeat(300)}\n`,
  'status.html': page('Status', '<h2>Now</h2><div id="state">As built.</div><h2>More</h2>'),
  'status.md': '# Status\n\n## Now\n\nAs built.\n\n## More\n\nText.\n',
  'about.html': page('About', '<p>No Markdown version.</p>'),
  'blog/index.html': page('Blog', '<p>Articles.</p>'),
  'blog/index.md': '# Blog\n',
  'blog/first-visit.html': page('First visit', '<script>let opened = 1</script>'),
  'blog/first-visit.md': '# First visit\n',
  'blog/café au lait.html': page('Café', '<p>Named in French.</p>'),
  'blog/café au lait.md': '# Café\n',
  '404.html': page('Not found', '<p>Nothing here.</p><div id="nearest" hidden></div>'),
  '404.md': '# Not found\n\nNothing here.\n\n## Pages\n\n[llms.txt](/llms.txt)\n',
  '404.json': '{"status":404,"code":"not_found"}\n',
  'gone/blog/old-law.html': page('Taken down', '<p>It is no longer true.</p>'),
  'gone/blog/old-law.md': '# Taken down\n',
  'gone/blog/old-law.json': '{"status":410,"code":"page_gone"}\n',
  'auth.md': '# Authentication\n\nNone is needed.\n',
  'llms.txt': `# Example\n\n${'> Everything, in words.\n'.repeat(50)}`,
  'api/llms.txt': '# API\n',
  'robots.txt': 'User-agent: *\nAllow: /\n',
  'feed.xml': '<rss version="2.0"></rss>',
  'sitemap.xml': '<urlset></urlset>',
  'openapi.json': '{"openapi":"3.1.0"}',
  'openapi.yaml': 'openapi: 3.1.0\n',
  'favicon.ico': 'icon',
  'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
  'assets/site.dyt-pHhN.css': 'body{color:#123}'.repeat(40),
  'assets/site.dyt-pHhN.js': 'export const a = 1',
  'assets/inter.dyt-pHhN.woff2': 'not really a font',
  'assets/unhashed.css': 'body{margin:0}',
  '.well-known/api-catalog': '{"linkset":[]}',
  '.well-known/mcp.json': '{}',
  '.private/secret.txt': 'hidden',
  '.env': 'hidden',
}

export function writeSampleSite(): string {
  const folder = mkdtempSync(join(tmpdir(), 'site-'))
  for (const [name, text] of Object.entries(sampleFiles)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    if (!/\.(?:html|md|txt|css|json)$/.test(name)) continue
    writeFileSync(`${path}.br`, brotliCompressSync(text))
    writeFileSync(`${path}.gz`, gzipSync(text))
  }
  return folder
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>\n`
}
