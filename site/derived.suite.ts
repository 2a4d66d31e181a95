// Adds a file, renames one, removes one and adds a draft. Everything else follows automatically.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import config from '#content/site.config.ts'

let root = ''
const read = (path: string) => Bun.file(join(root, 'site', 'dist', path)).text()
export const slug = 'a-page-of-one-file'
const title = 'A page that is one file and nothing else'

export const article = `---
title: ${title}
slug: ${slug}
description: >-
  Written for a test, so that it can be looked for in each of the places where an article has to be.
published: '2026-11-20'
updated: '2026-11-21'
redirect_from: [/blog/its-old-name]
tags: [webhooks]
class: [E]
questions:
  - Where does a gralloch of a test article appear?
  - What is a gralloch good for in a test?
  - Who would look for a gralloch?
---

A word that stands nowhere else is gralloch, so a search for it has one answer.
`

/** A draft, whose words and URLs must not be published. */
const draft = article
  .replaceAll(slug, 'not-yet')
  .replace(title, 'What no reader outside may see yet')
  .replaceAll('gralloch', 'quernstone')
  .replace('its-old-name', 'a-name-of-a-draft')
  .replace('tags:', 'draft: true\ntags:')
  .replace('Written for a test', 'Kept back in a test')

/** An article about law that hasn't been checked for too long. */
const stale = article
  .replaceAll(slug, 'an-old-law')
  .replace(title, 'What a law said, not read again since')
  .replaceAll('gralloch', 'feoffment')
  .replace('its-old-name', 'an-older-law')
  .replace('class: [E]', "class: [L]\nchecked_on: '2025-01-01'")
  .replace('Written for', 'Checked long ago for')

const sources = `sources:\n${['one', 'two']
  .map(
    name =>
      `  - { title: Law ${name}, url: https://law.example.com/${name}, accessed: '2025-01-01' }\n`,
  )
  .join('')}`

/** The repository where this company edits its pages. */
const repository = 'https://git.example.com/platform/edit/main'

/** A day soon after the law was checked, so its page has no notice. */
export const day = '2025-05-01'

/** Writes the files into a copy of the sources. */
export async function prepare(copy: string): Promise<void> {
  root = copy
  await Bun.write(join(root, `content/articles/${slug}.md`), article)
  await Bun.write(
    join(root, 'content/gone.yaml'),
    `- path: /blog/taken-down\n  title: This article was taken down\n  on: '2026-11-20'\n  why: What it said is no longer true of the law.\n  instead: /blog\n  redirect_from: [/blog/once-taken-down]\n`,
  )
  await Bun.write(join(root, 'content/articles/not-yet.md'), draft)
  await Bun.write(
    join(root, 'content/articles/an-old-law.md'),
    stale.replace(/^class/m, `${sources}class`),
  )
  const settings = join(root, 'content/site.config.ts')
  const config = await Bun.file(settings).text()
  await Bun.write(settings, config.replace('null as string | null', `'${repository}'`))
}

export function derivedSuite(): void {
  test('build: a new article appears in every list', async () => {
    const path = `blog/${slug}`
    const places = {
      'its page': await read(`${path}.html`),
      'its Markdown version': await read(`${path}.md`),
      'the blog': await read('blog.html'),
      'the blog’s Markdown version': await read('blog.md'),
      'llms.txt': await read('llms.txt'),
      'its scoped llms.txt': await read('blog/llms.txt'),
      'llms-full.txt': await read('llms-full.txt'),
      'the feed': await read('feed.xml'),
      'the list behind /api/articles': await read('catalog/articles.json'),
      'the index behind /ask': await read('catalog/search.json'),
    }
    for (const [place, text] of Object.entries(places)) {
      expect([place, text.includes(title)]).toEqual([place, true])
    }
    const address = `${config.site}/${path}`
    expect(await read('sitemap.xml')).toContain(
      `<loc>${address}</loc><lastmod>2026-11-21</lastmod>`,
    )
    expect(await read('changes.json')).toContain(`"page": "${address}"`)
    expect(await Bun.file(join(root, `site/dist/og/${path}.png`)).exists()).toBe(true)
    expect(await read('developers/llms.txt')).not.toContain(title)
  })

  test('build: with a repository, a page has an edit link', async () => {
    const file = `content/articles/${slug}.md`
    expect(await read(`blog/${slug}.html`)).toContain(
      `href="${repository}/${file}">Edit this page<`,
    )
  })

  test('build: a renamed page redirects from its old address, as HTML and Markdown', async () => {
    expect(await read('_redirects')).toEndWith(
      [
        `/blog/its-old-name /blog/${slug} 301\n`,
        `/blog/its-old-name.md /blog/${slug}.md 301\n`,
      ].join(''),
    )
  })

  test('build: a removed page has its reason in every format and is in no list', async () => {
    expect(await read('gone/blog/taken-down.html')).toContain('Taken down on November 20, 2026')
    expect(await read('gone/blog/taken-down.md')).toContain('[Read this instead]')
    expect(JSON.parse(await read('gone/blog/taken-down.json'))).toMatchObject({
      type: '/problems/page_gone',
      status: 410,
      code: 'page_gone',
      detail: expect.stringContaining('no longer true of the law'),
      instead: '/blog',
    })
    expect(await read('gone/blog/once-taken-down.html')).toContain(
      'Taken down on November 20, 2026',
    )
    for (const list of ['sitemap.xml', 'llms.txt', 'feed.xml', 'changes.json', 'blog.html']) {
      expect([list, (await read(list)).includes('taken-down')]).toEqual([list, false])
    }
  })

  test('build: an overdue article about law says so in every format, and keeps its URL', async () => {
    const notice = 'Last checked Jan 1, 2025. Rules may have changed since.'
    const html = await read('blog/an-old-law.html')
    expect(html).toContain(`role="note">${notice}</p>`)
    expect(html).toContain('<meta name="robots" content="noindex">')
    const markdown = await read('blog/an-old-law.md')
    expect(markdown).toContain(`\n> **${notice}**\n`)
    expect(markdown).toContain('\nrobots: "noindex"\n')
    const listed: { slug: string; notice: string | null }[] = JSON.parse(
      await read('catalog/articles.json'),
    )
    const noticeOf = (name: string) => listed.find(each => each.slug === name)?.notice
    expect([noticeOf('an-old-law'), noticeOf(slug)]).toEqual([notice, null])
    expect(await read('_redirects')).toContain('/blog/an-older-law /blog/an-old-law 301\n')
    for (const list of ['llms.txt', 'feed.xml', 'changes.json', 'catalog/search.json']) {
      expect([list, (await read(list)).includes('an-old-law')]).toEqual([list, true])
    }
    expect(await read('sitemap.xml')).not.toContain('an-old-law')
    expect(await read(`blog/${slug}.html`)).not.toContain('noindex')
  })

  test('build: no file contains a draft', async () => {
    const found: string[] = []
    for await (const name of new Bun.Glob('**/*').scan({
      cwd: join(root, 'site/dist'),
      dot: true,
    })) {
      if (/\.(br|gz|zst|png|ico|woff2)$/.test(name)) continue
      const text = `${name} ${await read(name)}`
      if (/quernstone|not-yet\b|a-name-of-a-draft|no reader outside/i.test(text)) found.push(name)
    }
    expect(found).toEqual([])
  })
}
