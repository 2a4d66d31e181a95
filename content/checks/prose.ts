import { partsOf } from './blocks.ts'
import { isData } from './links.ts'
import { type Entry, valueOf } from '../read.ts'
import { type Finding, place } from './finding.ts'

const longest = 35
const widest = 160
const largestTwin = 60_000

type Rule = Pick<Finding, 'rule' | 'message' | 'fix' | 'level'> & { pattern: RegExp; code?: true }

const rules: Rule[] = [
  {
    rule: 'S-key',
    pattern:
      /\b(svc_sk_live_\w{8,}|AKIA[0-9A-Z]{16}|gh[pousr]_\w{36}|-----BEGIN [A-Z ]*PRIVATE KEY)/g,
    message: 'it looks like a key that opens something',
    fix: 'cut it short with …, and revoke it if it was real',
    code: true,
  },
  {
    rule: 'S-number',
    pattern: /(?<![\d-])(?!000|666|9\d\d)\d{3}-\d{2}-\d{4}(?![\d-])/g,
    message: 'it looks like a social security number',
    fix: 'leave it out',
    code: true,
  },
  {
    rule: 'K-bare-url',
    pattern: /(?<![<("'`\w/=])https:\/\/[^\s<>()`]+(?![^[]*\]\()/g,
    message: 'an address without words',
    fix: 'write [what it is](address)',
    level: 'warning',
  },
  {
    rule: 'X-html',
    pattern: /^<(?!!--)[a-z][^>]*>/gim,
    message: 'HTML that the markdown twin would show as it stands',
    fix: 'write it in markdown, or ask for a block with [[name]]',
  },
  {
    rule: 'C-cure',
    pattern:
      /\b(cures|cured|cure\s+(diabetes|obesity|cancer|\w+itis)|(lose|shed|drop) (up to )?\d+ (pounds|lbs?|kg|kilos))\b/gi,
    message: 'a promise about somebody’s health',
    fix: 'leave it out',
  },
  {
    rule: 'C-approved',
    pattern:
      /\bcompounded\b[^.\n]{0,80}(?<!\bnot )\bFDA[- ]approved\b|(?<!\bnot )\bFDA[- ]approved\b[^.\n]{0,80}\bcompounded\b/gi,
    message: 'the FDA approves no compounded drug',
    fix: 'say that it is not FDA-approved, or leave it out',
  },
  {
    rule: 'C-generic',
    pattern: /(?<!["“‘'])\bgeneric (Ozempic|Wegovy|Mounjaro|Zepbound|Saxenda|Viagra|Cialis)\b/gi,
    message: 'a brand’s name for what is not the brand',
    fix: 'name the substance, and say what it is',
  },
]

/** Sentences, promises, keys and markup: what can be seen line by line. */
export function checkProse(entry: Entry): Finding[] {
  const parts = partsOf(entry)
  const applies = ({ code, rule }: Rule, kind: string) =>
    code === true || (kind === 'text' && (!isData(entry) || rule.startsWith('C-')))
  const matched = parts.flatMap(part =>
    rules
      .filter(rule => applies(rule, part.kind))
      .flatMap(({ pattern, rule, message, fix, level }) =>
        [...part.text.matchAll(pattern)].map(hit => {
          const where = part.place(hit.index)
          return { path: entry.path, ...where, rule, message, fix, level }
        }),
      ),
  )
  return isData(entry) ? matched : [...matched, ...unwritten(entry), ...checkLength(entry)]
}

/** Where `bun run new` left a place for words, in the frontmatter as in the text. */
function unwritten(entry: Entry): Finding[] {
  if (valueOf(entry, 'draft') === true) return []
  return [...entry.source.matchAll(/\bWRITE: /g)].map(hit => ({
    path: entry.path,
    ...place(entry.source, hit.index, 1),
    rule: 'P-unwritten',
    message: 'a place that `bun run new` left for words',
    fix: entry.name === 'changelog' ? 'say whom it concerns' : 'write them, or keep draft: true',
  }))
}

/** Too long to say in one breath, to show in one window, or to read in one go. */
function checkLength(entry: Entry): Finding[] {
  const { path } = entry
  const found: Finding[] = []
  for (const part of partsOf(entry)) {
    if (part.kind !== 'text') continue
    for (const hit of part.text.matchAll(/^(?![|>#\-*\d!<[])[^\n]+$/gm)) {
      // Addresses are no words, and are made of characters that end a sentence.
      const line = hit[0].replace(/\]\([^)]*\)/g, all => `]${'_'.repeat(all.length - 1)}`)
      for (const sentence of line.matchAll(/\S.*?(?:[.!?:]["”’)]*(?=\s)|$)/g)) {
        const words = sentence[0].split(/\s+/).length
        if (words <= longest) continue
        const message = `a sentence of ${words} words`
        const where = part.place(hit.index + sentence.index)
        found.push({
          path,
          ...where,
          rule: 'P-sentence',
          message,
          fix: 'make two',
          level: 'warning',
        })
      }
    }
    for (const hit of part.text.matchAll(/^\|.*\|$/gm)) {
      if (hit[0].length <= widest) continue
      const message = `a row of ${hit[0].length} characters`
      const fix = 'a list reads better where cells are that long'
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
  if (entry.body.length > largestTwin) {
    const message = `a page of ${entry.body.length} characters`
    found.push({ path, line: 1, column: 1, rule: 'X-long', message, fix: 'make it two pages' })
  }
  return found
}

/** The lines on which an editor has said why a rule does not hold there, with the rules. */
export function allowedOn(entry: Entry): Map<number, Set<string>> {
  const allowed = new Map<number, Set<string>>()
  for (const [at, line] of entry.source.split('\n').entries()) {
    const hit = /<!-- lint-ok ([A-Z]-[\w-]+): .{10,} -->/.exec(line)
    if (hit?.[1] !== undefined) allowed.set(at + 2, new Set([hit[1]]))
  }
  return allowed
}
