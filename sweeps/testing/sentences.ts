// The sentences of pages, and which of them say something about the product.

export const straight = (text: string): string =>
  text.replace(/\s+/g, ' ').replaceAll('’', "'").trim()

/** What names a page or one of its parts, and what a page sums up or answers. */
const names = new Set(['title', 'name', 'nav', 'sources', 'questions'])

/** What a YAML file or a frontmatter says in words, one entry a sentence or a part of a table. */
function values(yaml: unknown): string[] {
  if (typeof yaml === 'string') return yaml.includes(' ') ? [yaml] : []
  if (typeof yaml !== 'object' || yaml === null) return []
  return Object.entries(yaml).flatMap(([key, value]) => (names.has(key) ? [] : values(value)))
}

const split = (text: string): string[] =>
  straight(text).split(/(?<=[.?!:]["”*)]*)\s+(?=[A-Z`"“*{[_])/)

/** The sentences, the rows of tables and the entries of lists of a page, without its code, and
 *  without the tables below the heads in `compared`. */
export function sentencesOf(
  file: string,
  text: string,
  compared: ReadonlySet<string> = new Set(),
): string[] {
  if (!file.endsWith('.md')) return values(Bun.YAML.parse(text)).flatMap(split)
  const [, head = '', body = text] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? []
  const blocks = body
    .replace(/^\s*```[^]*?^\s*```/gm, '')
    .replace(/<!--[^]*?-->/g, '')
    .split(/\n\s*\n/)
    .map(block => block.trim())
    .filter(block => block && !/^(?:#|!\[|\[\[)/.test(block))
    .filter(block => !compared.has(block.split('\n')[0] ?? ''))
  return [
    ...values({ ...Object(Bun.YAML.parse(head)), description: null }).flatMap(split),
    ...blocks.flatMap(block =>
      block.startsWith('|')
        ? block.split('\n').slice(2).map(straight)
        : block.split(/\n(?=\s*(?:[-*]|\d+\.) )/).flatMap(item => {
            return split(item.replace(/^\s*(?:[-*]|\d+\.) /, ''))
          }),
    ),
  ]
}

/** A name of the contract, such as `case.queued.v1`, `POST /v1/cases` or `opens_at`. */
const code =
  /`[^`]*(?:_|\/v1|\.v1|Service-|Idempotency|Request-Id)[^`]*`|`(?:received|queued|approved|declined|withdrawn|cancelled|scheduled|started|completed|created|shipped|delivered|blocked|failed|reason|plan|hold|files|status|version|privacy|telehealth|current|superseded)`/
const words =
  /\b(?:(?:this|our|the) APIs?|sandbox|portal|console|(?:live|test) mode|in (?:live|test)|platform|tool servers?|we|ours?|audit|request log|webhooks?|events?|thread|grants?|scopes?|exports?|no (?:call|operation))\b/i

/** Verbs with which a sentence tells the reader what to do. */
const instruction = new RegExp(
  '^(?:[*"“(]*)(?:(?:then|so|and|now|or|here|also|please|first|until then),? |(?:to|if|when|where|for|in|on|with|once|after|before) [^,:]+[,:] )?(?:do not |never |always |only )?(?:add|advance|agree|apply|approve|ask|attach|begin|book|branch|build|call|check|choose|close|come|compare|compute|confirm|count|decide|declare|deploy|derive|do|draw|enter|exchange|expect|fetch|file|find|follow|forbid|get|give|go|hand|have|ignore|invent|judge|keep|know|leave|let|limit|link|list|look|make|mark|measure|mint|name|note|offer|open|page|pass|paste|pick|plan|play|poll|post|print|publish|put|read|rebuild|record|register|release|reload|remember|replace|report|reserve|return|reverse|revoke|run|save|say|search|see|send|set|show|sign|start|state|stop|store|suppose|switch|take|tell|test|tick|treat|trust|try|turn|upload|use|verify|wait|walk|warn|watch|withdraw|write)\\b',
  'i',
)
/** Sentences that say what a page is for, ask, or lead to what stands below or elsewhere. */
const leads =
  /[?:]["”*)]*$|^(?:This guide is for|At the end |A running sandbox|Answers (?:in this guide )?are shortened|You (?:will|need) )|^\[[^\]]*\]\([^)]*\)(?:\.?$|:? .*\b(?:says?|shows?|has|lists|explains|bring) )/
/** Our own reading of sources, which no code decides. */
const reading = /\b[Ww]e (?:found no|did not|could not|read no|know of no)\b/

/** Whether a sentence states something that the code of the product may decide. */
export const statesProduct = (sentence: string): boolean =>
  !leads.test(sentence) &&
  !reading.test(sentence) &&
  !instruction.test(sentence) &&
  sentence.split(' ').length > 2 &&
  (code.test(sentence) || words.test(sentence))
