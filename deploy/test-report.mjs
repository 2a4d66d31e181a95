// Reads the JUnit files that Bun and Playwright write: how many tests passed, and why others
// failed. Reasons are printed last, because readers see the end of a long output.

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decode = text =>
  text
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name) => entities[name])

const attribute = (tag, name) => decode(tag.match(new RegExp(` ${name}="([^"]*)"`))?.[1] ?? '')

/** Test counts by outcome. */
export function countsOf(xml) {
  const root = xml.match(/<testsuites\b[^>]*>/)?.[0] ?? ''
  const number = name => Number(attribute(root, name))
  const failed = number('failures') + number('errors')
  const skipped = number('skipped')
  return { passed: number('tests') - failed - skipped, failed, skipped }
}

const linesMax = 40

/** A paragraph for each failed test: its file and title, then the reason. */
export function failuresOf(xml) {
  const cases = xml.matchAll(/(<testcase\b[^>]*[^/]>)([\s\S]*?)<\/testcase>/g)
  return [...cases].flatMap(([, tag, body]) => {
    const failure = body.match(
      /<(?:failure|error)\b([^>]*?)(?:\/>|>([\s\S]*?)<\/(?:failure|error)>)/,
    )
    if (!failure) return []
    const [, attributes, content = ''] = failure
    const inside = content.match(/<!\[CDATA\[([\s\S]*?)\]\]>/)?.[1] ?? decode(content)
    const reason = (inside.trim() || attribute(attributes, 'message'))
      .split('\n')
      .slice(0, linesMax)
    const [file, line, group] = ['file', 'line', 'classname'].map(name => attribute(tag, name))
    const place = [file, line].filter(Boolean).join(':')
    const title = [place, group, attribute(tag, 'name')].filter(Boolean).join(' > ')
    return [[title, ...reason.map(each => `  ${each}`)].join('\n')]
  })
}
