// Words that this repository doesn't use, and the industry's word for each. `bun tidy/words.ts
// [folder]` lists their occurrences; tidy.test.ts rejects them in code, comments, documents, file
// names and commit subjects.

type RefusedWords = {
  /** Words as written in prose, in lowercase. Plurals also match. */
  readonly words: readonly string[]
  readonly instead: string
  /** Files in which the word is correct, each with a reason. */
  readonly except?: RegExp
  /** The only files that the rule applies to; if absent, all. */
  readonly only?: RegExp
}

/** Articles and guides write about people, parcels and cures, so only code terms are rejected
 *  there. */
const content =
  /^content\/(agreement|articles|comparisons|docs|pages|legal|skills)\/|^content\/[\w-]+\.(yaml|json)$/
/** Other organizations' official schemas. */
const standards = /\/standards\//

/**
 * Texts that aren't code, or that don't change once merged: documents, migrations with their
 * schema, and commit subjects.
 */
const landed = new RegExp(
  `${content.source}|^database/migrations/|^database/schema.sql|^.git/|\\.md$`,
)

const prose = new RegExp(`${content.source}|${standards.source}`)

const refusedWords: readonly RefusedWords[] = [
  { words: ['house', 'openHouse'], instead: 'platform, context, server or project' },
  { words: ['lane'], instead: 'connection, or endpoint queue' },
  {
    words: ['door', 'front door', 'doorbell'],
    instead: 'guard, router, endpoint or wake-up',
    except: prose,
  },
  { words: ['plane'], instead: 'mode', except: prose },
  { words: ['desk'], instead: 'booking service', except: prose },
  {
    words: ['keeper', 'reception'],
    instead: 'supervisor, management or site services',
    except: prose,
  },
  { words: ['ladder', 'rung'], instead: 'retry schedule, step' },
  { words: ['doomed', 'doom'], instead: 'crashing' },
  { words: ['rehearsal', 'rehearse', 'rehearsed', 'rehearsing'], instead: 'dry run' },
  { words: ['stranger'], instead: 'unauthenticated caller', except: prose },
  { words: ['adrift', 'knock', 'second wall'], instead: 'stale, present, row-level security' },
  { words: ['twin'], instead: 'Markdown version, or duplicate' },
  { words: ['disown', 'disowned', 'disowning'], instead: 'report abuse' },
  { words: ['shelf', 'shelves'], instead: 'catalog, list or bucket', except: prose },
  { words: ['hammer'], instead: 'load generator' },
  { words: ['mend', 'mended', 'mending', 'mends'], instead: 'fix', except: prose },
  // A content rule and its tests are about claims to cure.
  {
    words: ['cure', 'cured', 'cures'],
    instead: 'fix',
    except: new RegExp(
      `${prose.source}|^content/checks/(prose|rules.test)|^deploy/publish/publish.test`,
    ),
  },
  {
    words: ['told', 'whoever'],
    instead: 'notified, sent, reported; the caller, the client',
    except: new RegExp(`${prose.source}|^contract/examples`),
  },
  {
    words: ['hub'],
    instead: 'broker',
    // GitHub, and Azure Event Hubs.
    except: new RegExp(
      `${prose.source}|^content/checks/|^docs/|^deploy/|^README|destinations` +
        '|^clinical/destinations/|^contract/messages/field-messages|^content/changelog|^database/',
    ),
  },
  { words: ['ear', 'ears'], instead: 'listener', except: prose },
  {
    words: ['granting', 'scenes', 'openCast', 'sample-desk'],
    instead: 'withScopes, valid calls, fixtures',
    except: prose,
  },
  { words: ['storm', 'crowd'], instead: 'processes, load fixture', except: prose },
  { words: ['clothes', 'dress', 'dressed'], instead: 'layout, set headers', except: prose },
  { words: ['blame'], instead: 'record the failure', except: prose },
  { words: ['stands in'], instead: 'is in, appears in or shows', except: content },
  {
    words: ['that there is not', 'nothing that there is', 'all that there is'],
    instead: 'unknown, missing or every',
  },
  { words: ['works no longer', 'is no longer there'], instead: 'no longer works, is gone' },
  { words: ['does instead', 'do instead of'], instead: 'instead of, or prefer' },
  { words: ['letter by letter'], instead: 'exactly as received' },
  // Articles get a warning instead (content/checks/prose.ts), and a merged migration keeps its
  // comments.
  { words: ['of which'], instead: 'that, with or whose, or split the sentence', except: landed },
  { words: ['goes on', 'went on'], instead: 'continues, or keeps', except: landed },
  { words: ['invented patient', 'invented clinic'], instead: 'synthetic patient or clinic' },
  { words: ['for ever'], instead: 'forever' },
]

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** A whole word, or part of a name: `house`, `House`, `openHouse`, `house_id`, `HOUSE`. */
function patternOf(word: string): RegExp {
  const lower = escaped(word)
  const [first = ''] = word
  const upper = escaped(first.toUpperCase() + word.slice(1))
  const shout = escaped(word.toUpperCase().replaceAll(' ', '_'))
  const end = String.raw`s?(?![a-z])`
  return new RegExp(
    String.raw`(?<![A-Za-z])${lower}${end}|${upper}${end}|(?<![A-Z])${shout}S?(?![A-Za-z])`,
  )
}

const compiled = refusedWords.map(rule => ({ ...rule, patterns: rule.words.map(patternOf) }))
/** Most texts contain none of these words. This single check detects such texts. */
const anyOf = new RegExp(
  compiled.flatMap(({ patterns }) => patterns.map(({ source }) => source)).join('|'),
)

/** `line: word → instead` for every refused word in a text. */
export function refusedIn(file: string, text: string): string[] {
  if (!anyOf.test(text)) return []
  const rules = compiled.filter(
    ({ except, only }) => !except?.test(file) && (only === undefined || only.test(file)),
  )
  // The United States Code is published under that name.
  const lines = text.replaceAll('uscode.house.gov', '').split('\n')
  return lines.flatMap((line, at) =>
    rules.flatMap(({ patterns, instead }) => {
      const found = patterns.map(pattern => pattern.exec(line)).find(match => match !== null)
      return found ? [`${at + 1}: "${found[0]}" is not one of our words; write ${instead}`] : []
    }),
  )
}

if (import.meta.main) {
  const [folder = ''] = process.argv.slice(2)
  const listed = Bun.spawnSync(['git', 'ls-files', '-co', '--exclude-standard'])
  for (const file of listed.stdout.toString().split('\n')) {
    const isChecked = /\.(ts|mjs|astro|md|mdx|json|yaml|yml|sql|css|sh|toml)$/.test(file)
    if (!isChecked || !file.startsWith(folder) || /\/generated\/|^bun\.lock|^tidy\//.test(file))
      continue
    const text = await Bun.file(file).text()
    for (const one of [
      ...refusedIn(file, file).map(() => '0: the file name'),
      ...refusedIn(file, text),
    ]) {
      console.log(`${file}:${one}`)
    }
  }
}
