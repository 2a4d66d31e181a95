import { type BuildCatalog, loadCatalog } from '../search/catalog.ts'

/** A small build's catalog files, by path. */
export function sampleCatalog(articles = 3): Record<string, string> {
  const site = 'https://example.com'
  const files: Record<string, string> = {}
  const listed = (base: string, slug: string, text: string) => {
    files[`${base.slice(1)}/${slug}.md`] = `---\ntitle: "${slug}"\n---\n\n# ${slug}\n\n${text}\n`
    const head = { slug, title: `About ${slug}`, description: `What ${slug} is.` }
    const url = `${site}${base}/${slug}`
    return { ...head, url, markdown_url: `${url}.md`, updated: '2026-11-20' }
  }
  const all = Array.from({ length: articles }, (_, at) => ({
    ...listed('/blog', `article-${at}`, `Article ${at}.`),
    published: `2026-11-${String(20 - (at % 15)).padStart(2, '0')}`,
    author: 'Ada Rivera',
    tags: at % 2 === 0 ? ['even'] : ['odd'],
    reading_minutes: 3,
    notice: null,
    reviewed_by: null,
    sources: [],
    questions: [],
  }))
  const comparison = {
    ...listed('/compare', 'this-vs-that', 'Both.'),
    published: '2026-11-20',
    notice: null,
    subject: 'This',
    alternative: 'That',
    verdict: 'It depends.',
    criteria: [{ name: 'Price', subject: 'Low', alternative: 'High', source_url: null }],
    best_for: { subject: 'Some', alternative: 'Others' },
  }
  const overview = {
    name: 'Example Health',
    summary: 'An API.',
    audience: ['Engineers'],
    capabilities: [],
    not_offered: [],
    links: { home: `${site}/` },
    updated: '2026-11-20',
  }
  const pricing = { currency: 'USD', plans: [], usage: [], notes: [], url: `${site}/pricing` }
  const guides = [listed('/docs', 'webhooks', 'Webhooks are signed.')]
  const json = { articles: all, comparisons: [comparison], guides, overview }
  for (const [name, value] of Object.entries({
    ...json,
    pricing: { ...pricing, updated: '2026-11-20' },
  })) {
    files[`catalog/${name}.json`] = JSON.stringify(value)
  }
  const skills = ['ask-the-site', 'book-a-discovery-call'].map(name => {
    const url = `/.well-known/agent-skills/${name}/SKILL.md`
    files[url.slice(1)] = `---\nname: ${name}\ndescription: "How to: ${name}"\n---\n\n# ${name} é\n`
    return { name, url }
  })
  files['.well-known/agent-skills/index.json'] = JSON.stringify({ skills })
  return files
}

export function openSampleCatalog(articles = 3): BuildCatalog {
  const files = sampleCatalog(articles)
  return loadCatalog(path => files[path.slice(1)])
}
