import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { print } from '../finding.ts'
import { valueOf } from '../entry.ts'
import { content, type Fault, foundIn, heading, whereOf } from '../testing/article-copies.ts'

// Each error produces one finding, at its line and column. Each error is in its own copy of an
// error-free article, and all copies are checked together.

const folder = join(import.meta.dir, '..')

const body = (rule: string, text: string, level?: 'warning'): Fault => {
  const put = [rule, heading, `${text}\n\n${heading}`] as const
  return level === undefined ? put : [...put, level]
}

const published = "published: '2026-11-21'"
const updated = "updated: '2026-11-22'"
const reviewed = (by: string) => `reviewed_by: [${by}]\nreviewed_on: '2026-11-21'\nclass: [E]\n`
const care = "reviewed_by: [ada-rivera]\nreviewed_on: '2026-11-21'\nclass: «[C]\n"
const counselled = care
  .replace('ada-rivera', 'noor-haddad')
  .replace('class: «[C]', "checked_on: '2026-11-21'\nclass: «[L]")
const oneSource = `sources:
  - { title: A law, url: https://laws.example.com/1, accessed: '2026-11-21' }
`
const read = (day: string) => `sources:
  - { title: A law, url: https://laws.example.com/1, accessed: «'${day}' }
`
const draft = (name: string) =>
  `sources:\n  - { title: A header, url: «https://datatracker.ietf.org/doc/html/${name}, accessed: '2026-11-21' }\n`
const other = content.articles.map(entry => String(valueOf(entry, 'description')))[0] ?? ''
const frontmatter: Fault[] = [
  ['F-unknown-key', 'class: [E]', '«color: green\nclass: [E]'],
  ['F-unknown-key', 'class: [E]', '«autor: ada-rivera\nclass: [E]'],
  ['F-unknown-key', 'related: [', '«relates: ['],
  ['F-missing-key', 'class: [E]\n', ''],
  ['F-value', 'class: [E]', 'class: [«X]'],
  ['F-value', 'tags: [webhooks, reliability]', 'tags: «7'],
  ['F-value', 'class: [E]', 'class: [E]\nredirect_from: [«old-name]'],
  ['F-date', published, 'published: «2026-11-5'],
  ['F-date', published, 'published: «20.11.2026'],
  ['F-date', published, 'published: «5 Jan 2026'],
  ['F-date', published, 'published: «20261105'],
  ['F-date', published, "published: «'2026-02-30'"],
  ['F-date', published, 'published: «soon'],
  ['F-date', updated, 'updated: «2026/11/21'],
  ['F-date', updated, 'updated: «yesterday'],
  ['F-date', updated, "updated: «'2026-11-01'"],
  ['F-date', updated, "updated: «'2026-02-30'"],
  ['F-future', updated, "updated: «'2027-01-01'"],
  ['F-slug', 'slug: SELF', 'slug: «webhooks'],
  ['F-value', 'slug: SELF', 'slug: «Web Hooks'],
  ['F-length', 'title: TITLE', 'title: «Webhooks'],
  ['F-length', 'title: TITLE', `title: «${'Twenty words are too many '.repeat(4)}`],
  ['F-length', 'DESCRIPTION', `description: «${'It is read whole in every list. '.repeat(6)}\n`],
  ['F-length', 'DESCRIPTION', 'description: «Too short to say what it is.\n'],
  ['F-duplicate', 'DESCRIPTION', `description: «${JSON.stringify(other)}\n`],
  ['F-duplicate', 'title: TITLE', 'title: «How to poll events without losing one'],
  ['F-reference', 'class: [E]', 'author: «unknown-person\nclass: [E]'],
  ['F-reference', 'tags: [webhooks', 'tags: [«nothing'],
  ['F-reference', 'related: [poll-without-losing-events', 'related: [«no-such-article'],
  ['F-yaml', 'class: [E]\n', 'class: [E]\n«class: [O]\n'],
  ['F-unreviewed', 'class: [E]', 'class: «[C]', 'warning'],
  ['F-unreviewed', 'class: [E]', "checked_on: '2026-11-21'\nclass: «[L]", 'warning'],
  ['F-unreviewed', 'class: [E]\n', care.replace('ada-rivera', 'noor-haddad'), 'warning'],
  ['F-review', 'class: [E]\n', reviewed('ben-okoro').replace('[ben', '«[ben')],
  ['F-review', 'class: [E]\n', 'reviewed_by: «[ada-rivera]\nclass: [E]\n'],
  ['F-review', 'class: [E]\n', "reviewed_on: «'2026-11-21'\nclass: [E]\n"],
  ['F-reference', 'class: [E]\n', reviewed('«aad-rivera')],
  ['F-checked', 'class: [E]', 'class: «[L]'],
  ['F-sources', 'class: [E]\nSOURCES', care],
  ['F-sources', 'class: [E]\nSOURCES', `${care}${oneSource}`],
  ['F-sources', 'class: [E]\nSOURCES', `${counselled}${oneSource}`],
  ['F-redirect', 'class: [E]', 'redirect_from: [«/pricing]\nclass: [E]'],
  ['F-stale', 'class: [E]', "checked_on: «'2026-04-01'\nclass: [E]", 'warning'],
  ['F-stale', 'class: [E]', "checked_on: «'2025-04-01'\nclass: [E]", 'warning'],
  ['F-date', 'class: [E]', 'checked_on: «1 April 2026\nclass: [E]'],
  ['F-stale', 'SOURCES', read('2026-04-01'), 'warning'],
  ['F-stale', 'SOURCES', read('2025-04-01'), 'warning'],
  ['F-future', 'SOURCES', read('2026-11-23')],
  ['F-draft', 'SOURCES', draft('draft-a-header')],
  ['F-draft', 'SOURCES', draft('draft-a-header-07')],
  ['F-reference', 'class: [E]', 'rules: [«no-such-rule]\nclass: [E]'],
  body('F-source', 'As «[this text](https://www.rfc-editor.org/rfc/rfc9999) has it'),
  body('F-rule', '[The letter](«https://rules.example.com/2026-11-22)'),
  ['F-ended', 'class: [E]', 'rules: [standing, «ended]\nclass: [E]', 'warning'],
]

const links = [
  body('K-dead-link', '«[gone](/blog/no-such-article)'),
  body('K-dead-link', 'A «[link](/blog/sandbox-before-live.md) of a page'),
  body('K-dead-anchor', '«[gone](/blog/sandbox-before-live#no-such-heading)'),
  body('K-dead-anchor', '«[gone](#no-such-heading)'),
  body('K-http', 'See «[clear](http://example.com/) text'),
  body('K-click-here', '«[here](/blog)'),
  body('K-bare-url', 'See «https://example.com/x now', 'warning'),
  body('P-voice', 'The key «by which you sign in.', 'warning'),
]

const prose: Fault[] = [
  body('C-claim', 'We are «HIPAA certified'),
  body('C-claim', 'It has «no side effects.'),
  body('C-claim', 'We are «100% compliant'),
  body('C-claim', 'It is «legal in all 50 states'),
  body('C-claim', 'Your «guaranteed prescription'),
  body('C-claim', 'An «instant prescription'),
  body('C-claim', 'With «no doctor needed'),
  body('C-claim', 'It is «clinically proven'),
  body('C-claim', 'With the «same active ingredient as the brand'),
  body('C-claim', 'We are «fully\ncompliant'),
  body('C-claim', 'It has «no side-effects'),
  body('C-claim', 'Here «most people qualify'),
  ['C-claim', 'title: TITLE', 'title: A prescription that is «guaranteed'],
  body('C-cure', 'It «cures diabetes'),
  [
    'C-cure',
    'DESCRIPTION',
    `description: It «cures diabetes${', and says so at length'.repeat(3)}.\n`,
  ],
  body('C-cure', 'You «lose 20 pounds'),
  body('C-generic', 'Buy «generic Ozempic'),
  body('C-approved', 'An «FDA-approved compounded drug'),
  body('C-testimonial', '«> “It changed our clinic.”\n> — Ada R.'),
  body('P-word', 'A «seamless experience'),
  body('P-h1', '«# A second title'),
  body('P-heading-level', '«#### Too deep'),
  body('P-heading-stop', '## A sentence«.'),
  body('P-passive', '«## Events are sent by us', 'warning'),
  body('P-sentence', `Short. «${'word '.repeat(40)}end.`, 'warning'),
  body('P-unwritten', '«WRITE: steps that ran'),
  body(
    'P-grade',
    `${'Institutional interoperability necessitates organizational deliberation. '.repeat(90)}`,
    'warning',
  ),
  body('N-contract', 'Answer 2xx within «10 seconds.'),
  body('N-contract', 'A file has «ten MiB each.'),
  body('N-contract', 'Answer 2xx within «15 seconds.', 'warning'),
  body('X-html', '«<div class="x">'),
  body('X-block', '«[[nothing]]'),
  body('X-table', `«| ${'x'.repeat(200)} |`, 'warning'),
]

const shot = '![The queue of a clinic](/pictures/queue.png'
const media = [
  body('M-alt', 'A «![](figure:retry-schedule)'),
  body('M-figure', '«![a drawing that does not exist](figure:no-such-drawing)'),
  body('M-file', '«![A drawing of the loop](/pictures/loop.png "800x600")'),
  body('M-file', '«![A drawing of the loop](/pictures/torn.png "800x600")'),
  body('M-dimensions', `«${shot})`),
  body('M-dimensions', `«${shot} "640x480")`),
  body('M-text', `«${shot} "1280x800")`),
]

const code = [
  body('S-language', '«```\ncode\n```'),
  body('S-email', 'Write to «ada@clinic.health today'),
  body('S-phone', 'Call «+14155551234 today'),
  body('S-phone', 'Call «(415) 555-2671 today'),
  body('S-phone', 'Call «415-555-2671 today'),
  body('S-number', 'It is «123-45-6789'),
  body('S-key', 'Take «svc_sk_live_abcdefgh12345'),
  body('S-event', 'An event `«case.nodded.v1`'),
  body('S-route', 'Call `«GET /v1/parcels/{id}`', 'warning'),
  body('S-scope', 'With `«parcels:read`', 'warning'),
  body('S-field', '```json\n{ "«parcel_color": 1 }\n```', 'warning'),
  body('S-error', '| you see | do |\n| --- | --- |\n| `«version_conflict` | wait |'),
  body('S-tool', 'Call `«get_parcel` first', 'warning'),
  body('S-tool', 'Call `«book_parcel()` first', 'warning'),
  body('S-command', 'Then `«npm run fly`.'),
  body('S-command', '```sh\nbun run site\n«npm run fly\n```'),
  body('S-command', 'Type `«svc fly`.'),
]

const names = [
  body('B-spelling', 'Under «HIPPA you may'),
  body('B-spelling', 'In «Javascript you may'),
  body('B-spelling', 'It is on «Github now'),
  body('B-spelling', 'Each «web hook is signed'),
  body('B-spelling', 'It began on «21 November 2026'),
  body('B-spelling', 'It began on «21 November and'),
  body('B-spelling', 'We at «ExampleHealth say'),
]

const groups = { frontmatter, links, prose, media, code, names }
for (const [name, faults] of Object.entries(groups)) {
  test(`${name}: ${faults.length} faults produce one finding each, with position and fix`, () => {
    const all = foundIn(faults)
    const seen = faults.map((fault, at) => {
      const [found, ...others] = all[at] ?? []
      const place = whereOf(fault, at) === '' ? '' : ` ${found?.line}:${found?.column}`
      expect(found?.fix ?? '').not.toBe('')
      const said = others.map(print)
      return [`${found?.rule} ${found?.level ?? 'error'}${place}`, said]
    })
    const wanted = faults.map((fault, at) => {
      return [`${fault[0]} ${fault[3] ?? 'error'} ${whereOf(fault, at)}`.trimEnd(), []]
    })
    expect(seen).toEqual(wanted)
  })
}

describe('a date in a different format', () => {
  test('is fixed if it is unambiguous', () => {
    const written = ['2026-1-5', '2026/01/05', '5 Jan 2026', 'January 5th, 2026', '05.01.2026']
    const faults = written.map((day): Fault => ['F-date', published, `published: ${day}`])
    for (const [found] of foundIn(faults)) {
      expect([found?.fix, found?.edit?.text]).toEqual(['2026-01-05', "'2026-01-05'"])
    }
  })

  test('is not fixed if it is ambiguous', () => {
    const written = ['05/01/2026', '2026-02-30', '30 Feb 2026', 'next week', '2026']
    const faults = written.map((day): Fault => ['F-date', published, `published: ${day}`])
    for (const [found] of foundIn(faults)) expect(found?.edit).toBeUndefined()
  })
})

test('spelling: the edit has the right word, even if the pattern includes the words around it', () => {
  const written = {
    Hippa: 'HIPAA',
    '21 November 2026': 'November 21, 2026',
    '5 May': 'May 5',
  }
  const faults = Object.keys(written).map(word => body('B-spelling', `It is «${word} here`))
  expect(foundIn(faults).map(([found]) => found?.edit?.text)).toEqual(Object.values(written))
})

test('each rule has an example that breaks it', async () => {
  const read = async (isTest: boolean) => {
    const names = ['*.ts', 'checks/*.ts'].flatMap(each => [...new Bun.Glob(each).scanSync(folder)])
    const texts = names
      .filter(name => name.endsWith('.test.ts') === isTest)
      .map(name => Bun.file(join(folder, name)).text())
    return (await Promise.all(texts)).join('\n')
  }
  const [rules, tests] = [await read(false), await read(true)]
  const known = new Set([...rules.matchAll(/'([A-Z]-[a-z0-9-]+)'/g)].map(hit => hit[1] ?? ''))
  expect(known.size).toBeGreaterThan(60)
  expect([...known].filter(rule => !tests.includes(rule)).sort()).toEqual([])
})
