// Builds a request from the form, or says why it can't be sent.

type Entry = { place: string; name: string; value: string }

export type Form = {
  method: string
  path: string
  key: string
  entries: readonly Entry[]
  idempotencyKey: string
  /** Undefined if the operation takes no body. */
  body: string | undefined
}

export type Fault = { name: string; message: string }
type Ready = { path: string; headers: Record<string, string>; body: string | undefined }

const testKey = /^svc_sk_test_\w+$/

export function faultOfKey(key: string): string | null {
  if (key === '')
    return 'The key must be a test key. npm start prints one and saves it in .data/dev.json.'
  if (/_live_/.test(key)) {
    return 'The key must be a test key. A live key reaches real patients. Never paste one into a page.'
  }
  return testKey.test(key) ? null : 'The key must be a test key, which starts with svc_sk_test_.'
}

/** The request, or the first input that must change. */
export function requestOf(form: Form): Ready | Fault {
  const { key, entries, method, idempotencyKey, body } = form
  const keyFault = faultOfKey(key)
  if (keyFault !== null) return { name: 'key', message: keyFault }
  const filled = entries.filter(({ value }) => value !== '')
  const missing = entries.find(({ place, value }) => place === 'path' && value === '')
  if (missing !== undefined) {
    return {
      name: missing.name,
      message: `${missing.name} must be the ID of a resource in your sandbox.`,
    }
  }
  const bodyFault = faultOfBody(body)
  if (bodyFault !== null) return { name: 'body', message: bodyFault }
  const at = (place: string) => filled.filter(entry => entry.place === place)
  const path = at('path').reduce(
    (text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)),
    form.path,
  )
  const query = new URLSearchParams(at('query').map(({ name, value }) => [name, value])).toString()
  return {
    path: query === '' ? path : `${path}?${query}`,
    headers: {
      authorization: `Bearer ${key}`,
      ...(method === 'GET' ? {} : { 'idempotency-key': idempotencyKey }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...Object.fromEntries(at('header').map(({ name, value }) => [name.toLowerCase(), value])),
    },
    body,
  }
}

function faultOfBody(body: string | undefined): string | null {
  if (body === undefined) return null
  try {
    JSON.parse(body)
    return null
  } catch (fault) {
    return `The body must be JSON: ${fault instanceof Error ? fault.message : String(fault)}`
  }
}
