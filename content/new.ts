import { join } from 'node:path'
import { withChange } from './changelog.ts'

// `bun run new article|comparison|doc "Title"`: a file whose frontmatter is whole, with an outline.
// It is a draft, so nothing shows until its `WRITE:` lines are gone and draft is false.
// `bun run new changelog "What is new."`: a line in CHANGELOG.md that asks whom it concerns.

type Outline = (title: string, slug: string, today: string) => string

const head = (title: string, slug: string, today: string) => {
  const promise = `WRITE: what a reader knows after reading “${title}”, in one or two sentences.`
  return [
    `title: ${JSON.stringify(title)}`,
    `slug: ${slug}`,
    `description: ${JSON.stringify(promise.slice(0, 160))}`,
    `published: '${today}'`,
    `updated: '${today}'`,
    'draft: true',
  ].join('\n')
}

const asked = [
  'What would somebody ask to find this?',
  'What else would they ask?',
  'And what would they ask next?',
]
const questions = `questions:\n${asked.map(text => `  - ${text}`).join('\n')}`

const article: Outline = (title, slug, today) => `---
${head(title, slug, today)}
author: mara-lindqvist
# E engineering, O operations, C near care (needs reviewed_by), L near law (needs checked_on).
class: [E]
tags: [reliability]
${questions}
---

WRITE: who meets this problem, and the answer in two sentences.

## What happens

WRITE: the thing itself, with a real request and its answer.

## What to do

WRITE: steps that ran, each with what one should see.

## What this does not solve

WRITE: where it ends, and where to read on.
`

const criterion = (at: number) => `  - name: 'WRITE: criterion ${at}'
    subject: 'WRITE: a fact'
    alternative: 'WRITE: a fact'
    source: null${at === 1 ? '\n    # At least one row where the other side is better.\n    worse: true' : ''}`

const comparison: Outline = (title, slug, today) => `---
${head(title, slug, today)}
subject: 'WRITE: this'
alternative: 'WRITE: or that'
verdict: 'WRITE: which, for whom, and when the other one, in one or two sentences.'
criteria:
${[1, 2, 3, 4, 5, 6, 7, 8].map(criterion).join('\n')}
best_for:
  subject: 'WRITE: whom'
  alternative: 'WRITE: whom'
checked_on: '${today}'
${questions}
---

WRITE: what the question is really about.

## When the other one is right

WRITE: the honest paragraph.
`

const doc: Outline = (title, slug, today) => `---
${head(title, slug, today)}
order: 99
group: Build
operations: []
errors: []
${questions}
---

WRITE: who this is for, and what they will have at the end.

## What you need

WRITE: a key, a scope, something filed before.

## First step

WRITE: a request that ran, and its answer.

## What can go wrong

WRITE: each code, why, and what to do.
`

const kinds: Readonly<Record<string, { folder: string; outline: Outline }>> = {
  article: { folder: 'articles', outline: article },
  comparison: { folder: 'comparisons', outline: comparison },
  doc: { folder: 'docs', outline: doc },
}

export const slugOf = (title: string) =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

type Made = { path: string } | { refused: string }

export async function create(
  root: string,
  kind: string,
  title: string,
  today: string,
): Promise<Made> {
  if (kind === 'changelog') return tell(root, title, today)
  const found = kinds[kind]
  const known = [...Object.keys(kinds), 'changelog'].join(', ')
  if (found === undefined) return { refused: `Say what it is: ${known}.` }
  if (title.length < 10 || title.length > 65) {
    return { refused: `A title has 10 to 65 characters; this one has ${title.length}.` }
  }
  const slug = slugOf(title)
  const path = `content/${found.folder}/${slug}.md`
  const file = Bun.file(join(root, path))
  if (await file.exists()) return { refused: `${path} is there already.` }
  await Bun.write(file, found.outline(title, slug, today))
  return { path }
}

async function tell(root: string, title: string, today: string): Promise<Made> {
  if (title.length < 10) return { refused: 'Say in a sentence what is new.' }
  const path = 'CHANGELOG.md'
  const file = Bun.file(join(root, path))
  await Bun.write(file, withChange(await file.text(), title, today))
  return { path }
}

if (import.meta.main) {
  const words = process.argv.slice(2)
  const today = words.find(word => word.startsWith('--today='))?.slice('--today='.length) ?? ''
  const [kind = '', ...title] = words.filter(word => !word.startsWith('--'))
  const made = await create(join(import.meta.dir, '..'), kind, title.join(' '), today)
  console.log('path' in made ? made.path : `${made.refused}\nbun run new article "Its title"`)
  process.exit('path' in made ? 0 : 1)
}
