// `npm run new -- article|comparison|doc "Title"` writes a draft with complete frontmatter and an
// outline. For an article, `--class=CL` adds the fields and the outline of the classes C and L.
// `npm run new -- changelog "What is new."` adds a line to content/changelog.md, which needs a
// label. `--today=2026-11-30` is the day of the draft.
import { join } from 'node:path'
import { withChange } from './changelog.ts'
import { writeOwners } from './checks/owners.ts'

type Class = 'E' | 'O' | 'C' | 'L'
type NewOptions = { today: string; classes?: string | undefined }
type Outline = (title: string, slug: string, today: string, classes: readonly Class[]) => string

const head = (title: string, slug: string, today: string) => {
  const promise = `WRITE: what readers know after reading “${title}”, in one or two sentences.`
  return [
    `title: ${JSON.stringify(title)}`,
    `slug: ${slug}`,
    `description: ${JSON.stringify(promise.slice(0, 160))}`,
    `published: '${today}'`,
    `updated: '${today}'`,
    'draft: true',
  ].join('\n')
}

const questionPrompts = [
  'WRITE: what would a reader ask to find this?',
  'WRITE: what else would they ask?',
  'WRITE: what would they ask next?',
]
const questions = `questions:\n${questionPrompts.map(text => `  - '${text}'`).join('\n')}`

/** The requirements for publishing an article in each class, and the notices that it shows. */
const requirements: Readonly<Record<Class, readonly string[]>> = {
  E: [],
  O: [],
  C: [
    '# C: close to care. Shows “not medical advice”, which is added automatically. After the review:',
    "# reviewed_by: [a clinician's key in people.yaml]; without it, the page says it's awaiting review",
    '# reviewed_on: the date of that review',
  ],
  L: [
    '# L: close to law. Shows “not legal advice” with the date below. Before publishing:',
    '# checked_on: the date the rules were read',
    "# reviewed_by: [a lawyer's key in people.yaml] and reviewed_on; without them, the page says it's awaiting review",
  ],
}

const sourced = [
  "# At least two documents it's based on, with the publisher's title:",
  "# - { title: …, url: https://…, accessed: 'YYYY-MM-DD' }",
  'sources: []',
]

/** The outline of an article in each class. */
const chapters: Readonly<Record<Class, readonly [heading: string, what: string][]>> = {
  E: [
    ['What happens', 'what happens, with a real request and its response.'],
    ['What to do', 'steps you ran, each with what readers should see.'],
  ],
  O: [
    ['What people see', 'what the patient and your staff see.'],
    ['What to say and do', 'the wording and the steps, each with who takes it.'],
  ],
  C: [
    ['The question', 'how it comes up for a clinician, with its source.'],
    ['What the clinician decides', 'what only they decide, and what you can prepare for them.'],
    [
      'What you may tell a patient',
      "wording that doesn't advise starting, stopping or changing anything.",
    ],
  ],
  L: [
    ['What the rule says', 'the rule in plain words, with its source and date.'],
    ['Who it applies to', "who must follow it, where, and who doesn't have to."],
    ['What to settle with your counsel', 'the questions to bring.'],
  ],
}

const article: Outline = (title, slug, today, classes) => {
  const near = classes.includes('C') || classes.includes('L')
  const required = classes.flatMap(each => requirements[each])
  const first = classes.find(each => each === 'C' || each === 'L') ?? classes[0] ?? 'E'
  const outline = chapters[first].map(([heading, what]) => `## ${heading}\n\nWRITE: ${what}\n`)
  return `---
${head(title, slug, today)}
# author: a key in people.yaml, if a person wants a byline; without it, the company is credited.
# Keys in tags.yaml.
tags: [reliability]
# E engineering, O operations, C close to care, L close to law; they decide the notices.
class: [${classes.join(', ')}]
${[...required, ...(near ? sourced : []), questions].join('\n')}
---

WRITE: who has this problem, and the answer in two sentences.

${outline.join('\n')}
## What this does not solve

WRITE: what it doesn't cover, and where to read more.
`
}

const criterion = (at: number) => `  - name: 'WRITE: criterion ${at}'
    subject: 'WRITE: a fact'
    alternative: 'WRITE: a fact'
    source: null${at === 1 ? '\n    # At least one row where the other side is better.\n    worse: true' : ''}`

const comparison: Outline = (title, slug, today) => `---
${head(title, slug, today)}
subject: 'WRITE: this'
alternative: 'WRITE: or that'
verdict: 'WRITE: which one, for whom, and when to pick the other, in one or two sentences.'
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
# Its name in the sidebar, in at most 24 characters.
nav: ${JSON.stringify(
  title
    .replace(/[:,].*/, '')
    .slice(0, 24)
    .trim(),
)}
order: 99
group: Build
operations: []
errors: []
${questions}
---

WRITE: who this is for, and what they'll have at the end.

## What you need

WRITE: a key, a scope, something filed before.

## First step

WRITE: a request you ran, and its response.

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

type NewFile = { path: string } | { refused: string }

const isClass = (letter: string): letter is Class => Object.hasOwn(requirements, letter)

export async function create(
  root: string,
  kind: string,
  title: string,
  { today, classes: letters = 'E' }: NewOptions,
): Promise<NewFile> {
  if (kind === 'changelog') return addChange(root, title, today)
  const found = kinds[kind]
  const known = [...Object.keys(kinds), 'changelog'].join(', ')
  if (found === undefined) return { refused: `The kind must be one of ${known}.` }
  if (title.length < 10 || title.length > 65) {
    return { refused: `A title must have 10 to 65 characters; this one has ${title.length}.` }
  }
  const classes = [...new Set(letters.toUpperCase().replaceAll(',', ''))].filter(isClass)
  if (classes.length === 0 || [...letters.replaceAll(',', '')].length !== classes.length) {
    return {
      refused: `A class must be one or more of ${Object.keys(requirements).join(', ')}, such as --class=CL.`,
    }
  }
  const slug = slugOf(title)
  const path = `content/${found.folder}/${slug}.md`
  const file = Bun.file(join(root, path))
  if (await file.exists()) return { refused: `${path} must not exist yet.` }
  await Bun.write(file, found.outline(title, slug, today, classes))
  return { path }
}

async function addChange(root: string, title: string, today: string): Promise<NewFile> {
  if (title.length < 10)
    return { refused: 'A change must be a sentence of at least 10 characters.' }
  const path = 'content/changelog.md'
  const file = Bun.file(join(root, path))
  await Bun.write(file, withChange(await file.text(), title, today))
  return { path }
}

if (import.meta.main) {
  const words = process.argv.slice(2)
  const option = (name: string) =>
    words.find(word => word.startsWith(`--${name}=`))?.slice(name.length + 3)
  const [kind = '', ...title] = words.filter(word => !word.startsWith('--'))
  const options = { today: option('today') ?? '', classes: option('class') }
  const root = join(import.meta.dir, '..')
  const made = await create(root, kind, title.join(' '), options)
  console.log('path' in made ? made.path : `${made.refused}\nnpm run new -- article "Its title"`)
  if ('path' in made) {
    await writeOwners(root)
    console.error('npm run site shows it as you save, npm run check -- content lists the errors.')
  }
  process.exit('path' in made ? 0 : 1)
}
