import { blockNames, figures } from '../paths.ts'
import { type Block, headings, headOf, partsOf, unclosedFences } from './blocks.ts'
import type { Entry } from '../entry.ts'
import type { Edit, Finding } from '../finding.ts'
import { isData } from './links.ts'
import { checkPictures, type Sizes } from './pictures.ts'

type Place = { line: number; column: number }
type Rule = { rule: string; pattern: RegExp; message: (found: string) => string; fix: string }

const prose: Rule[] = [
  {
    rule: 'P-word',
    pattern:
      /\b(revolutionary|seamless(ly)?|unlock(s|ed|ing)?|world-class|cutting-edge|fast-paced|game-chang\w+|effortless(ly)?|leverag(e|es|ing)|utili[sz]e[sd]?)\b/gi,
    message: found => `“${found}” must be replaced with a fact`,
    fix: 'say what it does, with a number or a name (content/README.md shows how)',
  },
  {
    rule: 'C-claim',
    pattern:
      /\b(HIPAA[-\s]+(certified|compliant|approved)|(100\s?%|fully|completely)\s+(compliant|safe|effective)|legal\s+in\s+(all\s+(50|fifty)\s+states|every\s+state)|guaranteed|we\s+guarantee|instant\s+(prescription|approval)|no\s+doctor\s+(needed|required)|clinically\s+proven|(no|zero|without)\s+side[-\s]+effects|risk[-\s]free|same\s+active\s+ingredient\s+as|(everyone|anyone|most\s+people)\s+qualif(y|ies))\b/gi,
    message: found => `“${found}” must not be claimed`,
    fix: 'describe the rule with its source and date, or leave it out (content/README.md has wording)',
  },
  {
    rule: 'C-testimonial',
    pattern: /^>.*[”"].*\n?>?\s*(?:—|–|--)\s*[A-Z][\p{L}.]+ ?[A-Z]?.*$/gmu,
    message: () => 'a testimonial must not be shown',
    fix: 'leave it out, or state a fact with its source',
  },
  {
    rule: 'K-click-here',
    pattern: /\[(click here|here|this link|read more)\]\(/gi,
    message: () => 'a link must name its target',
    fix: 'say in the link where it leads',
  },
]

/** The rules that apply to titles and descriptions too. */
const claims = prose.filter(({ rule }) => rule === 'P-word' || rule === 'C-claim')

const everywhere: Rule[] = [
  {
    rule: 'S-email',
    pattern:
      /[\w.+-]+@(?!([\w-]+\.)*(example(\.(com|org|net))?|test|invalid)\b)[\w-]+(\.[\w-]+)+/gi,
    message: found => `${found} must not be a real address`,
    fix: 'use example.com',
  },
  {
    rule: 'S-phone',
    pattern:
      /\+1\d{3}(?!55501)\d{7}\b|(?<![\w.-])(?:\+?1[-. ])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[-. ])(?!555[-. ]?01\d\d)[2-9]\d\d[-. ]\d{4}(?![\w-])/g,
    message: found => `${found} must not be a real phone number`,
    fix: 'use 555-01xx',
  },
]

/** Checks a page's text: headings, code, words, images. */
export function checkBody(entry: Entry, sizes: Sizes): Finding[] {
  const { path } = entry
  const found: Make = (where, rule, message, fix, edit) => {
    const placed = edit === undefined ? undefined : { ...where, ...edit }
    return { path, ...where, rule, message, fix, edit: placed }
  }
  const parts = partsOf(entry)
  return [
    ...checkHeadings(entry, found),
    ...unclosedFences(entry).map(where => {
      const fix = 'close it with the same backticks, on their own line'
      return found(where, 'S-fence', 'a code block must be closed', fix)
    }),
    ...(isData(entry) ? [] : match(headOf(entry), claims, found)),
    ...parts.flatMap(part => (part.kind === 'code' ? checkFence(part, found) : [])),
    ...parts.flatMap(part => match(part, everywhere, found)),
    ...parts.flatMap(part => (part.kind === 'text' ? match(part, prose, found) : [])),
    ...parts.flatMap(part => (part.kind === 'text' ? checkImages(part, found) : [])),
    ...parts.flatMap(part => (part.kind === 'text' ? checkPictures(entry, part, sizes) : [])),
    ...parts.flatMap(part => (part.kind === 'text' ? checkComputedBlocks(part, found) : [])),
  ]
}

/** A `[[name]]` line must name a computed block. */
function checkComputedBlocks(part: Block, found: Make): Finding[] {
  return [...part.text.matchAll(/^\[\[([^\]\n]*)\]\]$/gm)].flatMap(hit => {
    const name = hit[1] ?? ''
    if (blockNames.includes(name)) return []
    const fix = `one of: ${blockNames.join(', ')}`
    return [found(part.place(hit.index), 'X-block', `${name} must name a block`, fix)]
  })
}

type EditAt = Pick<Edit, 'length' | 'text'> & { column?: number }
type Make = (where: Place, rule: string, message: string, fix: string, edit?: EditAt) => Finding

function checkHeadings(entry: Entry, found: Make): Finding[] {
  let above = 1
  return headings(entry).flatMap(({ level, text, line, length }) => {
    const where = { line, column: 1 }
    const most = above + 1
    // A heading that is too deep counts as the level it should have.
    above = Math.max(2, Math.min(level, most))
    const marks = { length: level, text: '#'.repeat(above) }
    if (level === 1) {
      return [
        found(
          where,
          'P-h1',
          'a body must not have an h1: the title is the h1',
          'begin with ##',
          marks,
        ),
      ]
    }
    if (level > most) {
      const message = `a heading below level ${most - 1} must not be level ${level}`
      return [found(where, 'P-heading-level', message, `use ${marks.text}`, marks)]
    }
    if (!text.endsWith('.')) return []
    const stop = { line, column: length }
    const none = { length: 1, text: '' }
    return [
      found(stop, 'P-heading-stop', 'a heading must not end with a period', 'remove it', none),
    ]
  })
}

function checkFence(part: Block, found: Make): Finding[] {
  if (part.language !== '') return []
  const fix = 'name it after the backticks: http, json, sh, ts, python, sql or text'
  const [marks = '', spaces = ''] = /^([`~]+)([ \t]*)/.exec(part.text)?.slice(1) ?? []
  const edit = { column: marks.length + 1, length: spaces.length, text: 'text' }
  return [
    found(
      { line: part.line, column: 1 },
      'S-language',
      'a code block must name its language',
      fix,
      edit,
    ),
  ]
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
        ? [found(where, 'M-alt', 'an image must have alt text', 'describe it in the brackets')]
        : []),
      ...(unknown
        ? [found(where, 'M-figure', `${name} must name a drawing`, `one of: ${figures.join(', ')}`)]
        : []),
    ]
  })
}
