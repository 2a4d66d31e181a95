// Sentences of pages that have no number to compare: each is in its page, and the test that shows
// it is in the suite. A test that goes or is renamed asks for the sentence again.
import { expect, test } from 'bun:test'
import { read } from './testing/pages.ts'
import type { Proofs } from './testing/proof.ts'
import { building } from './testing/proved/articles/building.ts'
import { identityAndConsent } from './testing/proved/articles/identity-and-consent.ts'
import { operating } from './testing/proved/articles/operating.ts'
import { photosArticle } from './testing/proved/articles/photos.ts'
import { pollingArticle } from './testing/proved/articles/polling.ts'
import { scenariosArticle } from './testing/proved/articles/scenarios.ts'
import { webhooksArticle } from './testing/proved/articles/webhooks.ts'
import { agents } from './testing/proved/agents.ts'
import { billing } from './testing/proved/billing.ts'
import { calls } from './testing/proved/calls.ts'
import { care } from './testing/proved/care.ts'
import { commandLine } from './testing/proved/command-line.ts'
import { concepts } from './testing/proved/concepts.ts'
import { consult } from './testing/proved/consult.ts'
import { credentials } from './testing/proved/credentials.ts'
import { events } from './testing/proved/events.ts'
import { exports } from './testing/proved/exports.ts'
import { files } from './testing/proved/files.ts'
import { limits } from './testing/proved/limits.ts'
import { live } from './testing/proved/live.ts'
import { oauth } from './testing/proved/oauth.ts'
import { orders } from './testing/proved/orders.ts'
import { patients } from './testing/proved/patients.ts'
import { pharmacies } from './testing/proved/pharmacies.ts'
import { portal } from './testing/proved/portal.ts'
import { programs } from './testing/proved/programs.ts'
import { sandbox } from './testing/proved/sandbox.ts'
import { thread } from './testing/proved/thread.ts'
import { tools } from './testing/proved/tools.ts'
import { videoRoom } from './testing/proved/video-room.ts'
import { visits } from './testing/proved/visits.ts'
import { webhooks } from './testing/proved/webhooks.ts'

const straight = (text: string) => text.replace(/\s+/g, ' ').replaceAll('’', "'")
/** Whether a file has a test of that title, in TypeScript or Python; none is skipped, which
 *  tidy.test.ts sees to. */
const hasTest = (text: string, title: string) =>
  new RegExp(`(?:\\(\\s*['"\`]|^ +def )${RegExp.escape(title)}`, 'm').test(text)

const subjects: readonly Proofs[] = [
  concepts,
  credentials,
  oauth,
  agents,
  tools,
  calls,
  limits,
  programs,
  commandLine,
  portal,
  events,
  webhooks,
  webhooksArticle,
  sandbox,
  scenariosArticle,
  consult,
  orders,
  pharmacies,
  patients,
  thread,
  exports,
  files,
  photosArticle,
  visits,
  videoRoom,
  live,
  billing,
  building,
  pollingArticle,
  operating,
  care,
  identityAndConsent,
]
const pages = subjects.flatMap(subject => Object.entries(subject))

test('all sentences of a page stand in one place', () => {
  const names = pages.map(([file]) => file)
  expect(names).toEqual([...new Set(names)])
})

test.each(pages)('%s says what tests show', async (file, proofs) => {
  const page = straight(await read(`content/${file}`))
  for (const [sentence, suite, title] of proofs) {
    expect([sentence, page.includes(straight(sentence))]).toEqual([sentence, true])
    expect([suite, title, hasTest(await read(suite), title)]).toEqual([suite, title, true])
  }
})

test('a test that is renamed or only quoted shows nothing', () => {
  expect(hasTest("test('keeps a hash', () => {})", 'keeps a hash')).toBe(true)
  expect(hasTest("test.each(['a'])(\n  'keeps a hash of %s', () => {})", 'keeps a hash')).toBe(true)
  expect(hasTest("test('keeps the key', () => {})", 'keeps a hash')).toBe(false)
  expect(hasTest("// 'keeps a hash'", 'keeps a hash')).toBe(false)
  expect(hasTest('class A:\n    def test_keeps_a_hash(self):', 'test_keeps_a_hash')).toBe(true)
  expect(hasTest('# def test_keeps_a_hash', 'test_keeps_a_hash')).toBe(false)
})
