import { blockNames, figures } from '../paths.ts'
import { type Block, headings, partsOf } from './blocks.ts'
import type { Entry } from '../read.ts'
import type { Edit, Finding } from './finding.ts'
import { checkPictures, type Sizes } from './pictures.ts'

type Place = { line: number; column: number }
type Rule = { rule: string; pattern: RegExp; message: (found: string) => string; fix: string }

const prose: Rule[] = [
  {
    rule: 'P-word',
    pattern:
      /\b(revolutionary|seamless(ly)?|unlock(s|ed|ing)?|world-class|cutting-edge|fast-paced|game-chang\w+|effortless(ly)?|leverag(e|es|ing)|utili[sz]e[sd]?)\b/gi,
    message: found => `“${found}” says nothing`,
    fix: 'say what it does, with a number or a name (content/README.md shows how)',
  },
  {
    rule: 'C-claim',
    pattern:
      /\b(HIPAA[- ]certified|100 ?% compliant|legal in all 50 states|guaranteed|we guarantee|instant prescription|no doctor needed|clinically proven|no side effects|same active ingredient as)\b/gi,
    message: found => `“${found}” is a claim we never make`,
    fix: 'describe the rule with its source and date, or leave it out (content/README.md has words)',
  },
  {
    rule: 'C-testimonial',
    pattern: /^>.*[”"].*\n?>?\s*(?:—|–|--)\s*[A-Z][\p{L}.]+ ?[A-Z]?.*$/gmu,
    message: () => 'praise in somebody’s name',
    fix: 'leave it out: say what is true, with its source',
  },
  {
    rule: 'K-click-here',
    pattern: /\[(click here|here|this link|read more)\]\(/gi,
    message: () => 'a link that does not say where it leads',
    fix: 'name the page in the link',
  },
]

const everywhere: Rule[] = [
  {
    rule: 'S-email',
    pattern:
      /[\w.+-]+@(?!([\w-]+\.)*(example(\.(com|org|net))?|test|invalid)\b)[\w-]+(\.[\w-]+)+/gi,
    message: found => `${found} could be somebody's address`,
    fix: 'use example.com',
  },
  {
    rule: 'S-phone',
    pattern:
      /\+1\d{3}(?!55501)\d{7}\b|(?<![\w.-])(?:\+?1[-. ])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[-. ])(?!555[-. ]?01\d\d)[2-9]\d\d[-. ]\d{4}(?![\w-])/g,
    message: found => `${found} could be somebody's number`,
    fix: 'use 555-01xx',
  },
]

/** What can be wrong inside a page's text: headings, code, words, images. */
export function checkBody(entry: Entry, sizes: Sizes): Finding[] {
  const { path } = entry
  const found: Make = (where, rule, message, fix, edit) => {
    const typed = edit === undefined ? undefined : { ...where, ...edit }
    return { path, ...where, rule, message, fix, edit: typed }
  }
  const parts = partsOf(entry)
  return [
    ...checkHeadings(entry, found),
    ...parts.flatMap(part => (part.kind === 'code' ? checkFence(part, found) : [])),
    ...parts.flatMap(part => match(part, everywhere, found)),
    ...parts.flatMap(part => (part.kind === 'text' ? match(part, prose, found) : [])),
    ...parts.flatMap(part => (part.kind === 'text' ? checkImages(part, found) : [])),
    ...parts.flatMap(part => (part.kind === 'text' ? checkPictures(entry, part, sizes) : [])),
    ...parts.flatMap(part => (part.kind === 'text' ? checkAskedBlocks(part, found) : [])),
  ]
}

/** A line `[[name]]` asks the site for something computed; only some things are. */
function checkAskedBlocks(part: Block, found: Make): Finding[] {
  return [...part.text.matchAll(/^\[\[([^\]\n]*)\]\]$/gm)].flatMap(hit => {
    const name = hit[1] ?? ''
    if (blockNames.includes(name)) return []
    const fix = `one of: ${blockNames.join(', ')}`
    return [found(part.place(hit.index), 'X-block', `no block is called ${name}`, fix)]
  })
}

type Typed = Pick<Edit, 'length' | 'text'> & { column?: number }
type Make = (where: Place, rule: string, message: string, fix: string, edit?: Typed) => Finding

function checkHeadings(entry: Entry, found: Make): Finding[] {
  let above = 1
  return headings(entry).flatMap(({ level, text, line, length }) => {
    const where = { line, column: 1 }
    const most = above + 1
    // One that is too deep is read as what it should be, and those below it by that.
    above = Math.max(2, Math.min(level, most))
    const marks = { length: level, text: '#'.repeat(above) }
    if (level === 1) {
      return [found(where, 'P-h1', 'a second h1: the title is the first', 'begin with ##', marks)]
    }
    if (level > most) {
      const message = `a heading of level ${level} under one of level ${most - 1}`
      return [found(where, 'P-heading-level', message, `use ${marks.text}`, marks)]
    }
    if (!text.endsWith('.')) return []
    const stop = { line, column: length }
    const none = { length: 1, text: '' }
    return [found(stop, 'P-heading-stop', 'a heading ends with a full stop', 'take it away', none)]
  })
}

function checkFence(part: Block, found: Make): Finding[] {
  if (part.language !== '') return []
  const fix = 'name it after the backticks: http, json, sh, ts, python, sql or text'
  const [marks = '', spaces = ''] = /^([`~]+)([ \t]*)/.exec(part.text)?.slice(1) ?? []
  const edit = { column: marks.length + 1, length: spaces.length, text: 'text' }
  return [found({ line: part.line, column: 1 }, 'S-language', 'code without a language', fix, edit)]
}

function match(part: Block, rules: Rule[], found: Make): Finding[] {
  return rules.flatMap(({ rule, pattern, message, fix }) =>
    [...part.text.matchAll(pattern)].map(hit =>
      found(part.place(hit.index), rule, message(hit[0]), fix),
    ),
  )
}

function checkImages(part: Block, found: Make): Finding[] {
  return [...part.text.matchAll(/!\[([^\]]*)\]\(([^)\s]+)[^)]*\)/g)].flatMap(hit => {
    const [, alt = '', target = ''] = hit
    const where = part.place(hit.index)
    const name = target.replace(/^figure:/, '')
    const unknown = target.startsWith('figure:') && !figures.includes(name)
    return [
      ...(alt.trim().length < 10
        ? [found(where, 'M-alt', 'an image without words', 'say in the brackets what it shows')]
        : []),
      ...(unknown
        ? [
            found(
              where,
              'M-figure',
              `no drawing is called ${name}`,
              `one of: ${figures.join(', ')}`,
            ),
          ]
        : []),
    ]
  })
}
