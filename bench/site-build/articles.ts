// Generated articles as Markdown files that pass the content checks, so every side of a benchmark
// renders the same Markdown.
import { seededRandom, randomWord, makeArticles } from '../harness/articles.ts'

export type MarkdownFile = { slug: string; head: string; body: string }

const seed = 20_261_121
const [titleMax, descriptionMin, descriptionMax] = [60, 80, 150]
const paragraphsMedian = 9

export function makeMarkdown(count: number): MarkdownFile[] {
  const random = seededRandom(seed)
  return makeArticles(count).map(({ description, text }, at) => {
    const slug = `article-${at}`
    const questions = [1, 2, 3].map(() => `${sentence(random, 7)}?`)
    const fields = {
      title: cut(`Number ${at} of ${description}`, titleMax),
      description: cut(`${at}: ${text}`, descriptionMin + Math.floor(random() * 60)),
      slug,
      published: '2026-11-20',
      updated: '2026-11-20',
      tags: ['reliability'],
      class: ['E'],
      questions,
    }
    return { slug, head: headOf(fields), body: bodyOf(text, random) }
  })
}

const headOf = (fields: object) =>
  Object.entries(fields)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join('\n')

const sentence = (random: () => number, words: number) =>
  Array.from({ length: words }, () => randomWord(random)).join(' ')

/** Truncates at the last space before the limit. */
const cut = (text: string, most: number) =>
  text.length <= most ? text : text.slice(0, text.lastIndexOf(' ', Math.min(most, descriptionMax)))

/** Headings, paragraphs, a list and a code block, in the same proportions as a site article. */
function bodyOf(text: string, random: () => number): string {
  const words = text.split(' ')
  const size = Math.ceil(words.length / paragraphsMedian)
  const parts: string[] = []
  for (let at = 0; at < words.length; at += size) {
    const paragraph = words.slice(at, at + size).join(' ')
    if (parts.length % 3 === 1) parts.push(`## ${sentence(random, 4)}`)
    parts.push(`${paragraph}.`)
  }
  parts.push(['One', 'Two', 'Three'].map(name => `- ${name} ${sentence(random, 6)}`).join('\n'))
  parts.push('```json\n{ "id": "case_01", "status": "submitted", "version": 3 }\n```')
  return `${parts.join('\n\n')}\n`
}
