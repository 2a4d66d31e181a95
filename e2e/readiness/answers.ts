// Dynamic responses: questions, missing paths, and every response's headers.
import { at, browser, type Check, list, must, parsed, word } from './scan.ts'

const lost = '/a-page-that-does-not-exist'

const notFound: Check = {
  name: '404 in the requested form',
  async run({ ask }) {
    const html = await ask(lost, { accept: browser })
    must(html.status === 404 && html.type.startsWith('text/html'), `HTML: ${html.status}`)
    const markdown = await ask(lost, { accept: 'text/markdown' })
    const { status, type, text } = markdown
    must(status === 404 && type.startsWith('text/markdown'), `markdown: ${status} ${type}`)
    for (const way of ['/llms.txt', '/blog'])
      must(text.includes(way), `404 does not lead to ${way}`)
    must(/accept/i.test(markdown.headers.get('vary') ?? ''), '404 has no Vary: Accept')
    const other = await ask(lost, { accept: '*/*' })
    must(other.text === text, '404 for Accept: */* is not Markdown')
    const problem = await ask(lost, { accept: 'application/json' })
    must(problem.type === 'application/problem+json', `JSON: ${problem.type}`)
    return 'HTML to browsers, a problem for JSON, Markdown with links to all others'
  },
}

const problems: Check = {
  name: 'problem+json of unknown endpoints (RFC 9457)',
  async run({ ask }) {
    for (const where of ['/api/nothing', '/v1/nothing']) {
      const { status, type, text } = await ask(where)
      must(status === 404, `${where} returned ${status}`)
      must(type.startsWith('application/problem+json'), `${where} is ${type}`)
      const problem: unknown = JSON.parse(text)
      must(at(problem, 'status') === 404, `${where} has another status in its body`)
      for (const member of ['type', 'title', 'detail', 'code', 'hint']) {
        must(word(at(problem, member)) !== '', `${where} has no ${member}`)
      }
    }
    return 'with code and hint'
  },
}

const question = '/ask?query=how+do+webhooks+work'

const ask: Check = {
  name: '/ask (NLWeb)',
  async run(scan) {
    const usage = parsed(await scan.ask('/ask'), '/ask')
    must(Array.isArray(at(usage, 'results')), '/ask without a question has no results member')
    const answer = await scan.ask(question)
    const results = list(at(parsed(answer, question), 'results'))
    must(results.length > 0, `${question} finds nothing`)
    for (const result of results) {
      for (const member of ['url', 'name', 'site', 'description']) {
        must(word(at(result, member)) !== '', `a result of /ask has no ${member}`)
      }
      must(typeof at(result, 'score') === 'number', 'a result of /ask has no score')
    }
    const again = await scan.ask(`${question}&`)
    must(again.text === answer.text, 'the same question got another response')
    return `${results.length} results`
  },
}

const versions: Check = {
  name: 'API-Version and RateLimit-Policy',
  async run({ ask }) {
    for (const where of ['/', '/index.md', '/llms.txt', '/openapi.json', question, lost]) {
      const { headers } = await ask(where)
      must(/^\d{4}-\d\d-\d\d$/.test(headers.get('api-version') ?? ''), `${where}: no API-Version`)
      const policy = headers.get('ratelimit-policy') ?? ''
      must(/^"[\w-]+";q=\d+;w=\d+/.test(policy), `${where} has no RateLimit-Policy: ${policy}`)
    }
    return 'on files, responses and refusals'
  },
}

const heads: Check = {
  name: 'HEAD says what GET says',
  async run({ ask }) {
    for (const where of ['/', '/pricing', '/llms.txt', '/.well-known/api-catalog']) {
      const [get, head] = await Promise.all([ask(where), ask(where, { method: 'HEAD' })])
      must(head.status === get.status && head.text === '', `HEAD ${where} returned ${head.status}`)
      for (const name of ['content-type', 'etag', 'vary', 'link']) {
        const same = head.headers.get(name) === get.headers.get(name)
        must(same, `HEAD ${where} has another ${name}`)
      }
    }
    return 'type, tag, Vary and Link'
  },
}

const quality: Check = {
  name: '/ask/quality',
  async run(scan) {
    const measures = at(
      parsed(await scan.ask('/catalog/quality.json'), '/catalog/quality.json'),
      'served',
    )
    const ndcg = Number(at(measures, 'ndcg_at_5'))
    must(ndcg >= 0.9, `nDCG@5 is ${ndcg}, below 0.9`)
    return `nDCG@5 ${ndcg} on ${Number(at(measures, 'questions'))} questions`
  },
}

export const answerChecks = [notFound, problems, ask, versions, heads, quality]
