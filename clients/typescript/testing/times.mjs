// A program for Node, Bun and Deno: tests which limit or signal ends a call that makes several
// requests, or whose body arrives slowly. The server never finishes its response.
import process from 'node:process'
import { Svc } from '@svc/sdk'

const baseUrl = process.env.SVC_BASE_URL
const svc = new Svc({ apiKey: 'svc_sk_test_0', baseUrl, maxRetries: 0 })
const file = { patient: 'pat_1', kind: 'photo_id', filename: 'a.png', mime: 'image/png', body: 'x' }

const read = async options => {
  const response = await svc.exports.download('exp_1', options)
  return response.text()
}
const next = options => svc.events.iterate({ since: '2026-11-20T12:00:00.000Z' }, options).next()
const wait = options => svc.cases.waitFor('case_1', { status: ['approved'], ...options })

const calls = {
  'upload, signal': signal => svc.files.upload(file, { signal }),
  'upload, timeout': () => svc.files.upload(file, { timeout: 300 }),
  'upload, total': () => svc.files.upload(file, { totalTimeout: 300 }),
  'download, signal': signal => read({ signal }),
  'download, timeout': () => read({ timeout: 300 }),
  'download, total': () => read({ totalTimeout: 300 }),
  'iterator, signal': signal => next({ signal }),
  'iterator, timeout': () => next({ timeout: 300 }),
  'wait, signal': signal => wait({ signal }),
  'wait, timeout': () => wait({ timeout: 300 }),
}

const results = {}
for (const [name, call] of Object.entries(calls)) {
  const controller = new AbortController()
  const leave = () => controller.abort(new Error('the caller left'))
  AbortSignal.timeout(300).addEventListener('abort', leave)
  const began = performance.now()
  const outcome = await call(controller.signal).then(
    () => 'done',
    error => (error.name === 'Error' ? error.message : error.name),
  )
  results[name] = performance.now() - began < 2500 ? outcome : `${outcome}, late`
}
process.stdout.write(`${JSON.stringify(results)}\n`)
process.exit(0)
