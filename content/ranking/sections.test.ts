import { expect, test } from 'bun:test'
import { termsOf } from './question.ts'
import { sectionFinder } from './sections.ts'

const page = `<html><body><nav><h2 id="menu">Rotate keys</h2></nav><main id="main">
<h1>Webhooks</h1><p>An event is sent to your endpoint.</p>
<h2 id="sign">Check the <code>Service-Signature</code></h2><p>The secret signs the bytes.</p>
<nav><a href="#retry">retries</a></nav>
<h2 id="retry" class="x">When we try again<a class="anchor" href="#retry" aria-label="Link">#</a></h2>
<p>Nine retries, and a secret that doesn&#39;t change.</p>
<h3 id="limits">Limits &amp; more</h3><p>Two retries at once.</p></main></body></html>`

const find = sectionFinder(path => (path === '/docs/webhooks.html' ? page : undefined))
const section = (question: string) => find('/docs/webhooks', termsOf(question))

test('sections: finds the section with most of the question’s words, preferring headings', () => {
  expect(section('how is the signature checked')).toEqual({
    heading: 'Check the Service-Signature',
    url: '/docs/webhooks#sign',
  })
  expect(section('retry')?.url).toBe('/docs/webhooks#retry')
  expect(section('limits of retries')?.url).toBe('/docs/webhooks#limits')
})

test('sections: a heading is its text without entities and markup', () => {
  expect(section('limits')?.heading).toBe('Limits & more')
  expect(section('try again')?.heading).toBe('When we try again')
})

test('sections: a word in the page’s title applies to the whole page', () => {
  expect(section('webhooks')).toBeNull()
  expect(section('webhooks secret')?.url).toBe('/docs/webhooks#sign')
})

test('sections: finds none for a page’s introduction, for navigation or for an unknown page', () => {
  expect(section('endpoint')).toBeNull()
  expect(section('rotate')).toBeNull()
  expect(find('/none', termsOf('retry'))).toBeNull()
})

test('sections: “Read next” and everything after it are not searched', () => {
  const article = `<main><h1>Photos</h1><p>A photo.</p><h2 id="size">Size</h2><p>Ten megabytes.</p>
<section><h2 id="read-next">Read next</h2><p>Webhooks you can trust.</p></section></main>`
  const found = sectionFinder(() => article)
  expect(found('/photos', termsOf('webhooks to trust'))).toBeNull()
  expect(found('/photos', termsOf('megabytes'))?.url).toBe('/photos#size')
})

test('sections: the first of two equal matches is used, regardless of the order scores are added in', () => {
  const words = ['bytes', 'rotate', 'secret', 'sign']
  const text = (counts: readonly number[]) =>
    words.map((word, at) => `${word} `.repeat(counts[at] ?? 0)).join('')
  const tied = `<main><h1>T</h1><h2 id="one">A</h2>
${text([1, 3, 2, 4])}<h2 id="two">B</h2>${text([1, 2, 3, 4])}</main>`
  const found = sectionFinder(() => tied)('/tied', termsOf(words.join(' ')))
  expect(found?.url).toBe('/tied#one')
})
