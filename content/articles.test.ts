import { describe, expect, test } from 'bun:test'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'

/** Runs the code in the articles. */
const read = (path: string) => Bun.file(join(import.meta.dir, path)).text()

function blocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    hit => hit[1] ?? '',
  )
}

/** An article's first TypeScript block that exports the name, as a module. */
async function run(article: string, name: string): Promise<Function> {
  const code = blocks(await read(`articles/${article}.md`), 'ts').find(block =>
    block.includes(`function ${name}(`),
  )
  const path = join(await mkdtemp(join(tmpdir(), 'article-')), `${name}.ts`)
  await Bun.write(path, code ?? '')
  const module: Record<string, Function> = await import(path)
  return module[name] ?? expect.unreachable()
}

describe('webhooks-you-can-trust', async () => {
  const isGenuine = await run('webhooks-you-can-trust', 'isGenuine')
  const vector = blocks(await read('articles/webhooks-you-can-trust.md'), 'text')[0] ?? ''
  const value = (key: string) => new RegExp(`^${key}\\s+(.+)$`, 'm').exec(vector)?.[1] ?? ''
  const body = new TextEncoder().encode(value('body'))
  const time = Number(value('t'))
  const header = `t=${time},v1=${value('v1')}`

  test('the signature in the article is valid', () => {
    expect(isGenuine(body, header, value('secret'), time + 299)).toBe(true)
  })

  test('the signature of the article’s delivery is valid for the same secret', async () => {
    const shown = blocks(await read('articles/webhooks-you-can-trust.md'), 'http')[0] ?? ''
    const [head = '', sent = ''] = shown.trimEnd().split('\n\n')
    const signed = /Service-Signature: (.+)/.exec(head)?.[1]
    expect(isGenuine(new TextEncoder().encode(sent), signed, value('secret'), time)).toBe(true)
  })

  test('a changed byte, another secret or an old timestamp makes a signature invalid', () => {
    const other = new TextEncoder().encode('{"id":"evt_2"}')
    expect(isGenuine(other, header, value('secret'), time)).toBe(false)
    expect(isGenuine(body, header, `${value('secret')}x`, time)).toBe(false)
    expect(isGenuine(body, header, value('secret'), time + 301)).toBe(false)
    expect(isGenuine(body, '', value('secret'), time)).toBe(false)
  })

  test('either signature is accepted during a rotation', () => {
    const both = `t=${time},v1=${'0'.repeat(64)},v1=${value('v1')}`
    expect(isGenuine(body, both, value('secret'), time)).toBe(true)
  })
})

describe('idempotency-in-a-clinic', async () => {
  const write = await run('idempotency-in-a-clinic', 'write')

  async function against(answers: Response[]) {
    const keys: (string | null)[] = []
    const server = Bun.serve({
      port: 0,
      fetch(request) {
        keys.push(request.headers.get('idempotency-key'))
        return answers.shift() ?? new Response(null, { status: 500 })
      },
    })
    const answer: Response = await write({ url: server.url.href, key: 'k', body: {}, token: 't' })
    await server.stop(true)
    return { status: answer.status, keys }
  }

  const soon = { 'retry-after': '0' }

  test('a temporary failure is retried with the same key', async () => {
    const running = Response.json(
      { code: 'idempotency_in_progress' },
      { status: 409, headers: soon },
    )
    const busy = new Response(null, { status: 503, headers: soon })
    const done = new Response(null, { status: 201 })
    expect(await against([busy, running, done])).toEqual({ status: 201, keys: ['k', 'k', 'k'] })
  })

  test('a refusal is returned to the caller immediately', async () => {
    const refused = Response.json({ code: 'consent_required' }, { status: 422 })
    expect(await against([refused])).toEqual({ status: 422, keys: ['k'] })
    const moved = Response.json({ code: 'invalid_transition' }, { status: 409 })
    expect(await against([moved])).toEqual({ status: 409, keys: ['k'] })
  })

  test('the write stops after five attempts', async () => {
    const busy = () => new Response(null, { status: 503, headers: soon })
    const { status, keys } = await against([busy(), busy(), busy(), busy(), busy()])
    expect(status).toBe(503)
    expect(keys).toHaveLength(5)
  })
})

test('poll-without-losing-events: the code returns every event once and the time to continue from', async () => {
  const follow = await run('poll-without-losing-events', 'follow')
  const events = [1, 2, 3, 4, 5].map(at => ({ id: `evt_${at}`, created_at: `${at}` }))
  const seen: string[] = []
  const next = await follow({
    since: '0',
    read: async (since: string) => {
      const after = events.filter(event => event.created_at > since)
      return { data: after.slice(0, 2), has_more: after.length > 2 }
    },
    apply: async (event: { id: string }) => void seen.push(event.id),
  })
  expect(seen).toEqual(events.map(event => event.id))
  expect(next).toBe('5')
})

test('consent-versions: the code returns each consent whose current version is missing', async () => {
  const consentsToAsk = await run('consent-versions', 'consentsToAsk')
  const accepted = { telehealth: ['2026-09-01', '2026-11-02'], privacy: ['2026-10-15'] }
  const consent = (kind: string, version: string, status = 'current') => ({ kind, version, status })
  const ask = (...consents: object[]) => consentsToAsk(consents, accepted)
  expect(ask()).toEqual(['telehealth', 'privacy'])
  expect(ask(consent('telehealth', '2026-09-01'), consent('privacy', '2026-06-01'))).toEqual([
    'privacy',
  ])
  expect(
    ask(
      consent('telehealth', '2026-11-02'),
      consent('privacy', '2026-10-15', 'superseded'),
      consent('privacy', '2026-04-01'),
    ),
  ).toEqual(['privacy'])
  expect(ask(consent('telehealth', '2026-11-02'), consent('privacy', '2026-10-15'))).toEqual([])
})

test('needs-info-without-churn: the code returns who has to answer and since when', async () => {
  const turn = await run('needs-info-without-churn', 'turn')
  const since = '2026-11-20T15:07:12.404Z'
  const open = (target: string) => turn({ status: '', question: { target, asked_at: since } })
  expect(open('patient')).toEqual({ who: 'patient', since })
  expect(open('integration')).toEqual({ who: 'support', since })
  expect(turn({ status: 'in_review', question: null })).toBeNull()
})

test('pharmacy-orders-explained: the code lists overdue orders, but no finished or unknown ones', async () => {
  const standing = await run('pharmacy-orders-explained', 'standing')
  const now = new Date('2026-11-20T12:00:00.000Z')
  const order = (status: string, hours: number) => ({
    id: `${status}-${hours}`,
    status,
    updated_at: new Date(now.getTime() - hours * 3_600_000).toISOString(),
  })
  const orders = [
    order('blocked', 4),
    order('blocked', 5),
    order('created', 25),
    order('delivered', 900),
    order('a_status_of_next_year', 900),
  ]
  expect(standing(orders, now).map((each: { id: string }) => each.id)).toEqual([
    'blocked-5',
    'created-25',
  ])
})

test('photos-and-files: the code recognizes a file’s type by its bytes', async () => {
  const mimeOf = await run('photos-and-files', 'mimeOf')
  const of = (text: string) => mimeOf(Uint8Array.from(text, each => each.charCodeAt(0)))
  expect(of('%PDF-1.7\n')).toBe('application/pdf')
  expect(of('\xff\xd8\xff\xe0\0\x10JFIF')).toBe('image/jpeg')
  expect(of('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')).toBe('image/png')
  expect(of('\0\0\0\x18ftypheic')).toBe('image/heic')
  expect(of('\0\0\0\x2cftypheix')).toBe('image/heic')
  expect(of('\0\0\0\x1cftypavif')).toBeNull()
  expect(of('<svg xmlns="http://www.w3.org/2000/svg">')).toBeNull()
  expect(of('')).toBeNull()
})

test('agents-and-patient-data: the code refuses unlisted tools', async () => {
  const gate = await run('agents-and-patient-data', 'gate')
  const asked: string[] = []
  const person = (yes: boolean) => async (call: { tool: string }) => {
    asked.push(call.tool)
    return yes
  }
  const call = (tool: string) => ({ tool, arguments: {} })
  expect(await gate(call('get_order'), person(false))).toBe('run')
  expect(asked).toEqual([])
  expect(await gate(call('create_message'), person(true))).toBe('run')
  expect(await gate(call('create_message'), person(false))).toBe('refused')
  expect(asked).toEqual(['create_message', 'create_message'])
  expect(await gate(call('create_webhook_endpoint'), person(true))).toBe('refused')
  expect(asked).toHaveLength(2)
})

describe('measuring-time-to-decision', async () => {
  const clocks = await run('measuring-time-to-decision', 'clocks')
  const page = await read('articles/measuring-time-to-decision.md')
  const rows = [...page.matchAll(/^\| (15:[\d:.]+) \| case\.\S+ \| `(\w+)` \|$/gm)]
  const events = rows.map(([, at, status]) => ({ created_at: `2026-11-20T${at}Z`, status }))

  test('the times in the text match the article’s case', () => {
    expect(events).toHaveLength(7)
    const { clinic, waiting, total } = clocks(events)
    const inWords = (milliseconds: number) => {
      const seconds = Math.round(milliseconds / 1000)
      return `${Math.floor(seconds / 60)} minutes? ${seconds % 60} seconds`
    }
    expect(page).toMatch(new RegExp(`decision: ${inWords(total)}`))
    expect(page).toMatch(new RegExp(`Here that's ${inWords(clinic)}`))
    expect(page).toMatch(new RegExp(`Here that's ${inWords(waiting)}`))
    expect(clinic + waiting).toBe(total)
  })

  test('a message after the decision changes no times, and an open case has none', () => {
    const later = { created_at: '2026-11-21T09:00:00.000Z', status: 'approved' }
    expect(clocks([...events, later])).toEqual(clocks(events))
    expect(clocks(events.slice(0, -1))).toBeNull()
    expect(clocks([])).toBeNull()
  })
})

test('articles: every JSON block can be parsed', async () => {
  const names = await Array.fromAsync(new Bun.Glob('*.md').scan(join(import.meta.dir, 'articles')))
  const shown = await Promise.all(
    names.map(async name => blocks(await read(`articles/${name}`), 'json')),
  )
  expect(shown.flat().length).toBeGreaterThan(10)
  for (const body of shown.flat()) expect(() => JSON.parse(body)).not.toThrow()
})

test('home page: every JSON sample can be parsed', async () => {
  const shown: string[] = []
  const collect = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    if ('code' in value && typeof value.code === 'string') {
      const body = value.code.split('\n\n').at(-1) ?? ''
      if (body.startsWith('{') || body.startsWith('[')) shown.push(body)
    }
    Object.values(value).forEach(collect)
  }
  collect(parse(await read('home.yaml')))
  expect(shown.length).toBeGreaterThan(8)
  for (const body of shown) expect(() => JSON.parse(body)).not.toThrow()
})
