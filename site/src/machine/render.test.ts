import { describe, expect, test } from 'bun:test'
import MiniSearch from 'minisearch'
import { fill } from '#content/fill.ts'
import { termsOf } from '#content/ranking/question.ts'
import { rankingOf } from '#content/ranking/rank.ts'
import { searchOptions } from '#content/ranking/terms.ts'
import config from '#content/site.config.ts'
import { moment, readable } from '../render/day.ts'
import { escape } from '../render/escape.ts'
import { finishHtml, nameCode } from '../html.ts'
import { breakable, inline } from '../render/inline.ts'
import { citedIn } from '../render/sources.ts'
import { sourcesMarkdown } from './markdown-version.ts'
import { toHtml } from '../markdown.ts'
import { notices, reviewNotice } from '../render/notices.ts'
import { describePictures } from '../render/pictures.ts'
import { robots } from './robots.ts'
import { searchIndexes } from './search.ts'
import { sitemap } from './sitemap.ts'
import { scriptJson } from './structured.ts'

test('placeholders: names are filled in, other braces are kept', () => {
  expect(fill('{brand} at {site}')).toBe(`${config.name} at ${config.site}`)
  expect(fill('/v1/cases/{id} `${api}`')).toBe('/v1/cases/{id} `${api}`')
})

test('placeholders: a contract number is written in digits or as a word', () => {
  const nine = '{delivery_attempts}, {delivery_attempts:word}, {delivery_attempts:Word}'
  expect(fill(nine)).toBe('9, nine, Nine')
  expect(fill('{body_bytes}')).toBe('1,048,576')
})

test('names: each stays whole if it fits, and otherwise breaks between its words', () => {
  const name = (words: string) => `<span class="name">${words}</span>`
  expect(breakable('Gone (invoice_id)')).toBe(`Gone ${name('(invoice_<wbr>id)')}`)
  expect(breakable('case.queued.v1')).toBe(name('case.<wbr>queued.<wbr>v1'))
  expect(breakable('The FieldError schema.')).toBe(`The ${name('Field<wbr>Error')} schema.`)
  expect(breakable('a < b')).toBe('a &lt; b')
})

test('dates: independent of the time zone', () => {
  expect(readable('2026-11-05')).toBe('November 5, 2026')
  expect(moment('2026-11-05').toISOString()).toBe('2026-11-05T00:00:00.000Z')
})

test('escape: text cannot become markup', () => {
  expect(escape('<a href="x">&')).toBe('&lt;a href=&quot;x&quot;&gt;&amp;')
  expect(inline('send `<id>` & wait')).toBe('send <code>&lt;id&gt;</code> &amp; wait')
  expect(scriptJson({ title: '</script>' })).not.toContain('</script>')
})

describe('rendered HTML', () => {
  test('code is colored by class and keeps its indentation', () => {
    const span = '<span style="color:var(--astro-code-token-string)">    "a"</span>'
    const html = `<pre class="astro-code x" style="a:b" tabindex="0"><code><span class="line">${span}</span></code></pre>`
    expect(finishHtml(html)).toBe(
      '<pre class="code" tabindex="0"><code><span class="line i2"><span class="t-string">    "a"</span></span></code></pre>',
    )
  })

  test('long code may break after slashes and commas', () => {
    const written = (language: string, code: string) =>
      finishHtml(`<pre data-language="${language}"><code>${code}</code></pre>`)
    expect(written('http', 'GET /v1/cases?since=2026-11-20T15:04:06.481Z')).toContain(
      'GET /<wbr>v1/<wbr>cases?<wbr>since=<span class="whole">2026-11-20T15:04:06.481Z</span>',
    )
    expect(written('http', '{"mode":"test","status":"open"}')).toContain('"test",<wbr>"status"')
    expect(written('json', '"https://example.com/problems/gone"')).toContain('/problems/<wbr>gone')
    expect(written('ts', "const at = '/v1/cases?since='")).not.toContain('<wbr>')
  })

  test('inline code is one word, and a long one breaks between words', () => {
    const written = (code: string) => finishHtml(`<p><code>${code}</code></p>`)
    expect(written('Service-Signature')).toContain('<code class="whole">Service-Signature<')
    expect(written('GET /v1/patients/{id}')).toContain(
      '<code class="route">GET /v1/<wbr>patients/<wbr>{id}</code>',
    )
    expect(written('a sentence, in code')).toContain('<code>a sentence, in code<')
    expect(finishHtml('<pre><code>a</code></pre>')).toBe('<pre><code>a</code></pre>')
  })

  test('a table scrolls, and numbers are aligned', () => {
    const html = finishHtml('<table><td>1,334</td><td>v1</td></table>')
    expect(html).toContain('<div class="table-scroll" tabindex="0"')
    expect(html).toContain('<td class="number">1,334</td><td>v1</td>')
  })

  test('on a phone, each cell in a three-column table has its column’s name', () => {
    const head = '<thead><tr><th>you see</th><th>because</th><th>do</th></tr></thead>'
    const html = finishHtml(
      `<table>${head}<tr><td>401</td><td>it ended</td><td>a</td></tr></table>`,
    )
    expect(html).toContain(
      '<td class="number" data-head="you see">401</td><td data-head="because">it ended</td><td data-head="do">a</td>',
    )
    expect(html).toContain('<table class="stacks">')
    expect(finishHtml('<table><th>a</th><td>1</td></table>')).not.toContain('stacks')
  })

  test('on a phone, four columns have names if they contain sentences, but not single words', () => {
    const head = '<thead><tr><th>scope</th><th>key</th><th>grant</th><th>agent</th></tr></thead>'
    const table = (last: string) =>
      `<table>${head}<tr><td>cases:read</td><td>yes</td><td>no</td><td>${last}</td></tr></table>`
    expect(finishHtml(table('no'))).not.toContain('stacks')
    const stacked = finishHtml(table('only what a member has who signed in for it'))
    expect(stacked).toContain('<td data-head="scope">cases:read</td><td data-head="key">yes</td>')
    expect(stacked).toContain('<table class="stacks">')
  })
})

test('code: is labeled with its file, or else its language', () => {
  const pre = (language: string, line: string) =>
    `<pre class="code" tabindex="0" data-language="${language}"><code><span class="line"><span class="t-comment">${line}</span></span>\n</code></pre>`
  const named = (language: string, line: string) =>
    /<p class="code-head">(.*?)<\/p>/.exec(nameCode(pre(language, line)))?.[1]
  expect(named('ts', '// verify.ts')).toBe('<code>verify.ts</code>')
  expect(named('python', '# poll.py')).toBe('<code>poll.py</code>')
  expect(named('ts', '// What happens next.')).toBe('TypeScript')
  expect(named('sh', 'npm start')).toBe('Shell')
  expect(named('unknown', 'x')).toBe('unknown')
  expect(named('text', 'Subject: Your visit')).toBe('Text')
  expect(nameCode(pre('sh', 'npm start') + pre('text', 'Ready.'))).toContain('>Output</p>')
})

test('pictures: have a size and their text', async () => {
  const image = '![The queue of a clinic](/pictures/queue.png "1280x800")'
  const withText = (text: string, invented: boolean) =>
    describePictures(image, { pictures: [{ file: '/pictures/queue.png', text, invented }] })
  expect(withText('none', false)).toBe(image)
  const body = withText('Waiting: four', true)
  expect(body).toBe(`${image}\n\n*In the picture (the people shown are synthetic):* Waiting: four`)
  const html = finishHtml((await toHtml(body)).html)
  expect(html).toContain(
    '<img src="/pictures/queue.png" alt="The queue of a clinic" width="1280" height="800" loading',
  )
})

test('notices: follow from an article’s class and words', () => {
  const plain = { class: ['E'], tags: ['events'], text: 'Nothing.' }
  expect(notices(plain)).toEqual([])
  expect(notices({ ...plain, class: ['C'] })[0]).toStartWith('General information')
  expect(notices({ ...plain, text: 'It was approved.' })[0]).toStartWith('A clinician decides')
  expect(notices({ ...plain, text: 'A compounded drug' })[0]).toStartWith('Compounded drugs')
  expect(notices({ ...plain, tags: ['sandbox'] })[0]).toStartWith('Never put a real')
})

test('review: a class C or L article says who reviewed it, and which reviews are pending', () => {
  const person = (name: string, role: 'clinician' | 'counsel') => ({ name, role, bio: '' })
  const [ada, noor] = [person('Ada Rivera', 'clinician'), person('Noor Haddad', 'counsel')]
  const notice = (classes: string[], ...reviewers: (typeof ada)[]) =>
    reviewNotice({ class: classes, reviewers, reviewed_on: '2026-11-22' })
  expect(notice(['E', 'O'])).toBeNull()
  expect(notice(['C'])).toBe('Not reviewed by a clinician; this page is awaiting review.')
  expect(notice(['L', 'C'])).toStartWith('Not reviewed by a lawyer or a clinician;')
  expect(notice(['C', 'L'], ada)).toBe(
    'Reviewed by Ada Rivera (clinician) on November 22, 2026. Not reviewed by a lawyer; this page is awaiting review.',
  )
  expect(notice(['C', 'L'], ada, noor)).not.toContain('Not reviewed')
})

test('sources: a source read at another URL names it', () => {
  const law = { title: 'A law', url: 'https://law.example.com/1', accessed: '2026-11-05' }
  const copied = { ...law, read_at: 'https://www.copies.example.com/law-1' }
  expect(citedIn({ sources: [law] })).toEqual([
    { title: law.title, url: law.url, when: 'read November 5, 2026' },
  ])
  expect(sourcesMarkdown({ sources: [copied] })).toContain(
    '- [A law](https://law.example.com/1), read November 5, 2026, at [copies.example.com](https://www.copies.example.com/law-1)',
  )
})

test('robots.txt: allows everyone, with a content signal', () => {
  expect(robots()).toContain('Content-Signal: search=yes, ai-input=yes, ai-train=no')
  expect(robots()).toContain(`\nSitemap: ${config.site}/sitemap.xml\n`)
})

test('sitemap: a page has its own date', () => {
  expect(sitemap([{ path: '/blog', updated: '2026-11-21' }])).toContain(
    `<url><loc>${config.site}/blog</loc><lastmod>2026-11-21</lastmod></url>`,
  )
})

describe('search index', () => {
  const page = (url: string, more: object) => ({
    url,
    title: 'x',
    description: '',
    questions: [],
    text: '',
    ...more,
  })
  const first = (pages: Parameters<typeof searchIndexes>[0], question: string) =>
    rankingOf(searchIndexes(pages).index)(termsOf(question), 1)[0]?.url

  test('a word in readers’ questions counts more than one in the title, which counts more than one in the text', () => {
    const pages = [
      page('/text', { text: 'webhooks' }),
      page('/title', { title: 'webhooks' }),
      page('/asked', { asked: 'webhooks' }),
    ]
    expect(first(pages, 'webhooks')).toBe('/asked')
    expect(first(pages.slice(0, 2), 'webhooks')).toBe('/title')
    const short = page('/short', { text: 'webhooks' })
    const long = page('/long', { text: `webhooks ${'event '.repeat(50)}` })
    expect(first([long, short], 'webhooks')).toBe('/short')
  })

  test('the blind index has no words that only a question has, and neighboring words are a term', () => {
    const { index, blind } = searchIndexes([page('/a', { questions: ['chest pain?'] })])
    const termsIn = (written: typeof index) => written.index.map(([term]) => term)
    expect(termsIn(index)).toEqual(['chest', 'chest_pain', 'pain'])
    expect(termsIn(blind)).toEqual([])
  })

  test('has words from links, but not from code or link URLs', () => {
    const text = 'Read [a link](/hidden).\n\n```sh\nsecretword\n```\n'
    const terms = searchIndexes([page('/a', { text })]).index.index.map(([term]) => term)
    expect(terms).toEqual(['link', 'read'])
  })

  test('the same pages produce the same bytes in any order, and MiniSearch loads them', () => {
    const pages = [page('/b', { text: 'retries' }), page('/a', { text: 'an event' })]
    const texts = [pages, pages.toReversed()].map(each => JSON.stringify(searchIndexes(each).index))
    expect(texts[0]).toBe(texts[1] ?? '')
    const loaded = MiniSearch.loadJSON(texts[0] ?? '', searchOptions)
    expect(loaded.search('retry').map(({ id }) => id)).toEqual(['/b'])
  })
})
