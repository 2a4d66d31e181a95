import { drawFigures } from './figures/figures.ts'
import { sizePictures } from './render/pictures.ts'

/**
 * Finishes rendered Markdown: inserts drawings, makes tables scrollable, and colors code by class,
 * so a content security policy can forbid all inline styles.
 */
export function finishHtml(html: string): string {
  return sizePictures(drawFigures(html))
    .replace(
      /<table>/g,
      '<div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table>',
    )
    .replace(/<\/table>/g, '</table></div>')
    .replace(/<table>[\s\S]*?<\/table>/g, nameCells)
    .replace(/<td(?=[^>]*>[\d,.]+<\/td>)/g, '<td class="number"')
    .replace(/<pre class="astro-code[^"]*" style="[^"]*"/g, '<pre class="code"')
    .replace(/<span style="color:var\(--astro-code-foreground\)">([^<]*)<\/span>/g, '$1')
    .replace(/style="color:var\(--astro-code-token-([a-z-]+)\)"/g, 'class="t-$1"')
    .replace(/<span class="line">(<span class="t-[a-z-]+">)?( +)/g, hang)
    .replace(/<pre [^>]*>[\s\S]*?<\/pre>/g, keepMoments)
    .replace(/(?<!<pre[^>]*>)<code>([^<]*)<\/code>/g, keepWords)
    .replace(/<pre [^>]*data-language="http">[\s\S]*?<\/pre>/g, breakWhereOneWould)
    .replace(/<pre [^>]*data-language="json">[\s\S]*?<\/pre>/g, breakAddresses)
    .replace(/<a href="(https:[^"]+)"/g, '<a rel="noopener" href="$1"')
}

/** The longest row with four or more columns that fits a phone, in characters. */
const shortRow = 40

/**
 * Three or more columns fit a phone only if the columns are short. Otherwise, each row becomes a
 * block in which each cell starts with its column's name.
 */
function nameCells(table: string): string {
  const heads = [...table.matchAll(/<th[^>]*>([\s\S]*?)<\/th>/g)].map(([, head = '']) =>
    head.replaceAll(/<[^>]*>/g, '').replaceAll('"', '&quot;'),
  )
  const columns = heads.length
  const longest = Math.max(
    ...table.split('</tr>').map(row => row.replace(/<[^>]*>|\s+/g, '').length),
  )
  if (columns < 3 || (columns > 3 && longest <= shortRow)) return table
  let at = 0
  return table
    .replace('<table>', '<table class="stacks">')
    .replaceAll('<td>', () => `<td data-head="${heads[at++ % columns]}">`)
}

/** Marks a code line's indentation, so a wrapped line continues there. */
function hang(_: string, token: string | undefined, spaces: string): string {
  return `<span class="line i${Math.min(6, Math.ceil(spaces.length / 2))}">${token ?? ''}${spaces}`
}

/** How many characters of code fit on a phone next to a word or two. */
const wholeMax = 28

/**
 * Keeps a name in a sentence from breaking at its hyphens and dots. A long name may break after a
 * slash, and a request only if it's longer than a line.
 */
function keepWords(_: string, code: string): string {
  if (code.length <= wholeMax && !code.includes(' ')) return `<code class="whole">${code}</code>`
  const pieces = code.replace(/(?<=[\w}/])\/(?=[\w{$])|(?<=\w)[.,](?=\w)/g, '$&<wbr>')
  const isRoute = /^[A-Z]+ \//.test(code)
  return isRoute ? `<code class="route">${pieces}</code>` : `<code>${pieces}</code>`
}

/** Keeps a timestamp from breaking at its hyphens. */
function keepMoments(pre: string): string {
  return pre.replace(/"?\d{4}-\d\d-\d\dT[\d:.]+Z"?/g, '<span class="whole">$&</span>')
}

/** Lets a long path break after a slash or a question mark, and one-line JSON after a comma. */
function breakWhereOneWould(pre: string): string {
  return pre
    .replace(/(?<=>[^<]*)(?:\/(?=[a-z{])|\?(?=[a-z_]+=))/g, '$&<wbr>')
    .replace(/,(?=(?:<\/span>)?(?:<span[^>]*>)?"[a-z])/g, ',<wbr>')
}

/** Lets a long URL break before its last segment. */
function breakAddresses(pre: string): string {
  return pre.replace(/https:\/\/[^"<\s]+\/(?=\w)/g, '$&<wbr>')
}

const languages: Readonly<Record<string, string>> = {
  sh: 'Shell',
  ts: 'TypeScript',
  python: 'Python',
  json: 'JSON',
  http: 'HTTP',
  sql: 'SQL',
  text: 'Text',
}

/** Labels code with the file that its first line names, or with its language. Plain text is
 *  labeled as the output of the page's previous code, if there is any. */
export function nameCode(html: string): string {
  let runs = false
  const blocks = /<pre class="code"[^>]*data-language="(\w+)"[^>]*>([\s\S]*?)<\/pre>/g
  return html.replace(blocks, (pre, language: string, code: string) => {
    const [first = ''] = code.replace(/<[^>]+>/g, '').split('\n', 1)
    const file = /^(?:\/\/|#|--) ([\w./-]+\.\w+)$/.exec(first)?.[1]
    runs ||= language === 'sh'
    const kind = language === 'text' && runs ? 'Output' : (languages[language] ?? language)
    const name = file === undefined ? kind : `<code>${file}</code>`
    return `<div class="code-block"><p class="code-head">${name}</p>${pre}</div>`
  })
}

const form =
  /<h3 id="[^"]*">(curl|TypeScript|Python)<\/h3>\s*<div class="code-block"><p class="code-head">.*?<\/p>(<pre [\s\S]*?<\/pre>)<\/div>\s*/

const place = /<h3 id="([^"]*)">(Hosted sandbox|On your machine)<\/h3>([^]*?)(?=<h[23] |$)/

/** Shows one of two ways to run a step at a time. Radio buttons store the choice, as for code. */
export function tabPlaces(html: string): string {
  if (!html.includes('>Hosted sandbox</h3>')) return html
  return html.replace(new RegExp(`(?:${place.source}){2}`), all => {
    const tabs = [...all.matchAll(new RegExp(place.source, 'g'))].map(
      ([, heading, name, body], at) => {
        const id = `place-${at + 1}`
        const chosen = at === 0 ? ' checked' : ''
        return [
          `<input class="form-choice" type="radio" name="place" id="${id}" value="${name}"${chosen}>`,
          `<label for="${id}" id="${heading}">${name}</label>`,
          `<div class="place">${body}</div>`,
        ].join('')
      },
    )
    return `<div class="place-tabs" role="group" aria-label="Where your sandbox runs">${tabs.join('')}</div>`
  })
}

/**
 * Shows one form of a request at a time. Radio buttons store the choice, because pages must work
 * without scripts. Print and screen readers get every form under its name.
 */
export function tabForms(html: string): string {
  // The pattern costs a quarter of a second for 1,000 articles without a form.
  if (!html.includes('>curl</h3>')) return html
  let group = 0
  return html.replace(new RegExp(`(?:${form.source}){2,}`, 'g'), all => {
    group += 1
    const forms = [...all.matchAll(new RegExp(form.source, 'g'))]
    const tabs = forms.map(([, name = '', code = ''], at) => {
      const id = `form-${group}-${at + 1}`
      const chosen = at === 0 ? ' checked' : ''
      return [
        `<input class="form-choice" type="radio" name="form-${group}" id="${id}" value="${name}"${chosen}>`,
        `<label for="${id}">${name}</label>`,
        `<div class="form-code">${code}</div>`,
      ].join('')
    })
    return `<div class="code-tabs panel" role="group" aria-label="The request in ${forms.length} languages">${tabs.join('')}</div>`
  })
}
