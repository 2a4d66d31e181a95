import { expect, test } from 'bun:test'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { createHostCheck } from '../host-check.ts'
import { linkToRequestedOrigin } from './requested-origin.ts'

const [site, base] = ['https://site.example', 'http://localhost:3000']
const page = `${site} ${site}/blog ${site}.evil ${base}/v1 ${base}0/v1 "${site}".`
const own = { requestIP: () => ({ address: '10.0.0.1' }) }

const ask = (
  headers: Record<string, string>,
  body: BodyInit | null = page,
  init: Record<string, string> = {},
  path = '/',
) => {
  const answer = () =>
    new Response(body, { headers: { 'content-type': 'text/html', ...init }, status: 201 })
  const change = linkToRequestedOrigin({
    published: [site],
    base,
    isFile: answered => answered.has('accept-ranges'),
    isOfSite: path => path === '/',
    isAllowedHost: createHostCheck(base, ['laptop.example']),
    isTrustedProxy: address => address === '10.0.0.1',
  })
  return change(answer(), new Request(`http://0.0.0.0${path}`, { headers }), own)
}
const textOf = async (headers: Record<string, string>) => (await ask(headers)).text()

test('requested origin: links lead to the requested host and port', async () => {
  const links = (origin: string) =>
    `${origin} ${origin}/blog ${site}.evil ${origin}/v1 ${base}0/v1 "${origin}".`
  for (const host of ['127.0.0.1:4000', 'laptop.example', 'localhost:8080']) {
    expect(await textOf({ host })).toBe(links(`http://${host}`))
  }
  const forwarded = { host: 'localhost:3000', 'x-forwarded-host': 'laptop.example:8443' }
  expect(await textOf({ ...forwarded, 'x-forwarded-proto': 'https' })).toBe(
    links('https://laptop.example:8443'),
  )
})

test('requested origin: an unknown host changes nothing', async () => {
  expect(await textOf({ host: 'evil.example' })).toBe(page)
  expect(await textOf({ host: 'localhost', 'x-forwarded-host': 'evil.example' })).toBe(page)
})

test('requested origin: headers, compressed bodies and events are changed too', async () => {
  const host = '127.0.0.1:4000'
  const location = { location: `${site}/blog` }
  const moved = await ask({ host }, null, location)
  expect([moved.status, moved.headers.get('location')]).toEqual([201, `http://${host}/blog`])
  const coded = await ask({ host }, brotliCompressSync(page), { 'content-encoding': 'br' })
  expect(brotliDecompressSync(await coded.bytes()).toString()).toStartWith(`http://${host} `)
  const events = await ask({ host }, `data: ${site}/\n\n`, { 'content-type': 'text/event-stream' })
  expect(await events.text()).toBe(`data: http://${host}/\n\n`)
})

test('requested origin: a picture stays unchanged', async () => {
  const picture = await ask({ host: '127.0.0.1:4000' }, page, { 'content-type': 'image/png' })
  expect(await picture.text()).toBe(page)
})

test('requested origin: a file stays unchanged, and the API changes its own links', async () => {
  const host = '127.0.0.1:4000'
  const both = `${site}/a ${base}/b`
  const file = await ask({ host }, both, { 'accept-ranges': 'bytes', link: base })
  expect([await file.text(), file.headers.get('link')]).toEqual([both, base])
  const api = await ask({ host }, both, {}, '/v1')
  expect(await api.text()).toBe(`${site}/a http://127.0.0.1:4000/b`)
})

test('requested origin: a response is not read if nothing would change', async () => {
  const answer = new Response(page, { headers: { 'content-type': 'text/html' } })
  const change = linkToRequestedOrigin({
    published: [site],
    base,
    isFile: () => false,
    isOfSite: () => false,
    isAllowedHost: createHostCheck(base, []),
    isTrustedProxy: () => false,
  })
  const at = (host: string) =>
    change(answer, new Request(`http://0.0.0.0/`, { headers: { host } }), own)
  expect(await at('localhost:3000')).toBe(answer)
  expect(await (await at('127.0.0.1:4000')).text()).toContain('http://127.0.0.1:4000/v1')
})
