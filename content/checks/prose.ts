import { type Block, headOf, partsOf } from './blocks.ts'
import { isData } from './links.ts'
import { type Entry, valueOf } from '../entry.ts'
import { type Finding, place } from '../finding.ts'

const sentenceWordsMax = 35
const rowCharactersMax = 160
const charactersMax = 60_000

type Rule = Pick<Finding, 'rule' | 'message' | 'fix' | 'level'> & { pattern: RegExp; code?: true }

/** Phrases that read like a translation, each with its replacement. */
const voice: readonly (readonly [RegExp, string])[] = [
  [/\bworks? no longer\b/gi, 'write "no longer works"'],
  [/\bdoes instead\b/gi, 'write "instead of" or "prefer"'],
  [/\bstands? in (the|a|an|its|this) (?!way\b)/gi, 'write "is in" or "appears in"'],
  [/\bthat there (is|are) (not|none|no)\b/gi, 'write "unknown", "missing" or "doesn\'t exist"'],
  [/\b(by|of) which\b/gi, 'split the sentence, or write "that", "with" or "whose"'],
  [/\bletter by letter\b/gi, 'write "exactly as received"'],
  [/\bthose of (the|a|an)\b/gi, 'repeat the noun, or use a possessive'],
]

const rules: Rule[] = [
  {
    rule: 'S-key',
    pattern:
      /\b(svc_sk_live_\w{8,}|AKIA[0-9A-Z]{16}|gh[pousr]_\w{36}|-----BEGIN [A-Z ]*PRIVATE KEY)/g,
    message: 'a secret key must not be published',
    fix: "shorten it with …, and revoke it if it's real",
    code: true,
  },
  {
    rule: 'S-number',
    pattern: /(?<![\d-])(?!000|666|9\d\d)\d{3}-\d{2}-\d{4}(?![\d-])/g,
    message: 'a social security number must not be published',
    fix: 'leave it out',
    code: true,
  },
  {
    rule: 'K-bare-url',
    pattern: /(?<![<("'`\w/=])https:\/\/[^\s<>()`]+(?![^[]*\]\()/g,
    message: 'a link must have text',
    fix: 'write [what it is](address)',
    level: 'warning',
  },
  {
    rule: 'X-html',
    pattern: /^<(?!!--)[a-z][^>]*>/gim,
    message: 'HTML must not be used: the Markdown version would show its tags',
    fix: 'write it in Markdown, or include a block with [[name]]',
  },
  {
    rule: 'C-cure',
    pattern:
      /\b(cures|cured|cure\s+(diabetes|obesity|cancer|\w+itis)|(lose|shed|drop) (up to )?\d+ (pounds|lbs?|kg|kilos))\b/gi,
    message: 'a page must not promise a health effect',
    fix: 'leave it out',
  },
  {
    rule: 'C-approved',
    pattern:
      /\bcompounded\b[^.\n]{0,80}(?<!\bnot )\bFDA[- ]approved\b|(?<!\bnot )\bFDA[- ]approved\b[^.\n]{0,80}\bcompounded\b/gi,
    message: 'a compounded drug must not be called FDA-approved',
    fix: "say it's not FDA-approved, or leave it out",
  },
  {
    rule: 'C-generic',
    pattern: /(?<!["“‘'])\bgeneric (Ozempic|Wegovy|Mounjaro|Zepbound|Saxenda|Viagra|Cialis)\b/gi,
    message: 'a brand name must not be used for a generic',
    fix: 'use the name of the active ingredient',
  },
  ...voice.map(([pattern, fix]): Rule => ({
    rule: 'P-voice',
    pattern,
    message: 'a phrase must read like American English',
    fix,
    level: 'warning',
  })),
]

/** Checks line by line: sentences, promises, keys and markup. */
export function checkProse(entry: Entry): Finding[] {
  const isMarkdown = !isData(entry)
  const parts = partsOf(entry)
  const claims = rules.filter(({ rule }) => rule.startsWith('C-'))
  const applies = ({ code, rule }: Rule, kind: string) =>
    code === true || (kind === 'text' && (isMarkdown || rule.startsWith('C-')))
  const found = (part: Block, all: Rule[]) =>
    all.flatMap(({ pattern, rule, message, fix, level }) =>
      [...part.text.matchAll(pattern)].map(hit => {
        const where = part.place(hit.index)
        return { path: entry.path, ...where, rule, message, fix, level }
      }),
    )
  const matched = [
    ...(isMarkdown ? found(headOf(entry), claims) : []),
    ...parts.flatMap(part =>
      found(
        part,
        rules.filter(rule => applies(rule, part.kind)),
      ),
    ),
  ]
  return isMarkdown ? [...matched, ...unwritten(entry), ...checkLength(entry)] : matched
}

/** Reports `WRITE:` placeholders from `npm run new`, in the front matter and in the text. */
function unwritten(entry: Entry): Finding[] {
  const all = [...entry.source.matchAll(/\bWRITE: /g)].map(hit => ({
    path: entry.path,
    ...place(entry.source, hit.index, 1),
    rule: 'P-unwritten',
    message: 'a WRITE: placeholder must be replaced',
    fix: entry.name === 'changelog' ? 'replace it with a label' : 'replace it, or keep draft: true',
  }))
  const [first] = all
  if (valueOf(entry, 'draft') !== true || first === undefined) return all
  const message = `${all.length} WRITE: placeholders must be replaced before this draft is published`
  return [{ ...first, message, fix: 'replace each, then remove draft: true', level: 'warning' }]
}

/** Checks the length of sentences, rows and the page. */
function checkLength(entry: Entry): Finding[] {
  const { path } = entry
  const found: Finding[] = []
  for (const part of partsOf(entry)) {
    if (part.kind !== 'text') continue
    for (const hit of part.text.matchAll(/^(?![|>#\-*\d!<[])[^\n]+$/gm)) {
      // Masks URLs, because they contain characters that end a sentence.
      const line = hit[0].replace(/\]\([^)]*\)/g, all => `]${'_'.repeat(all.length - 1)}`)
      for (const sentence of line.matchAll(/\S.*?(?:[.!?:]["”’)]*(?=\s)|$)/g)) {
        const words = sentence[0].split(/\s+/).length
        if (words <= sentenceWordsMax) continue
        const message = `a sentence must not have more than ${sentenceWordsMax} words, and this one has ${words}`
        const where = part.place(hit.index + sentence.index)
        found.push({
          path,
          ...where,
          rule: 'P-sentence',
          message,
          fix: 'split it',
          level: 'warning',
        })
      }
    }
    for (const hit of part.text.matchAll(/^\|.*\|$/gm)) {
      if (hit[0].length <= rowCharactersMax) continue
      const message = `a row must not have more than ${rowCharactersMax} characters, and this one has ${hit[0].length}`
      const fix = 'use a list'
      found.push({
        path,
        ...part.place(hit.index),
        rule: 'X-table',
        message,
        fix,
        level: 'warning',
      })
    }
  }
  if (entry.body.length > charactersMax) {
    const message = `a page must not have more than ${charactersMax} characters, and this one has ${entry.body.length}`
    found.push({ path, line: 1, column: 1, rule: 'X-long', message, fix: 'split it' })
  }
  return found
}

/** The rules that `lint-ok` comments disable, by line. */
export function allowedOn(entry: Entry): Map<number, Set<string>> {
  const allowed = new Map<number, Set<string>>()
  for (const [at, line] of entry.source.split('\n').entries()) {
    const hit = /<!-- lint-ok ([A-Z]-[\w-]+): .{10,} -->/.exec(line)
    if (hit?.[1] !== undefined) allowed.set(at + 2, new Set([hit[1]]))
  }
  return allowed
}
