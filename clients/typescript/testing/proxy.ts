// A proxy between the library and the API that cuts, delays and duplicates requests. Each request
// gets the next fault in a list; after the last fault, requests pass.

import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

export type Fault =
  | 'pass'
  /** The connection closes before the request is read. */
  | 'cut before'
  /** The request was read, but never reached the API. */
  | 'cut after send'
  /** The API responded, but the connection closes before any of the response is returned. */
  | 'cut after commit'
  /** The connection closes after half of the response. */
  | 'cut in body'
  /** The API responded, but the response never arrives, and the connection stays open. */
  | 'late'
  /** Half of the response is returned, then nothing while the connection stays open. */
  | 'slow body'
  /** The response is about another resource. */
  | 'other id'
  /** The API receives the request twice, concurrently. */
  | 'twice'
  /** A response that replaces the API's. */
  | { status: number; code?: string; headers?: Record<string, string> }

export type ProxyTraffic = {
  readonly line: string
  readonly key: string | undefined
  readonly text: string
}

/** Reads one request; undefined if the connection closes first. */
function requestOf(socket: Socket): Promise<string | undefined> {
  return new Promise(resolve => {
    let text = ''
    socket.on('data', part => {
      text += part.toString('latin1')
      const [head, ...body] = text.split('\r\n\r\n')
      const length = Number(/^content-length: (\d+)/im.exec(head ?? '')?.[1] ?? 0)
      if (body.length > 0 && body.join('\r\n\r\n').length >= length) resolve(text)
    })
    socket.on('close', () => resolve(undefined))
    socket.on('error', () => resolve(undefined))
  })
}

/** The API's response, as bytes for a connection that closes after it. */
async function forwarded(upstream: string, text: string): Promise<Buffer> {
  const [head = '', ...body] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const [method = '', target = ''] = first.split(' ')
  const headers = new Headers(
    lines.map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  headers.delete('host')
  headers.delete('connection')
  headers.delete('accept-encoding')
  const content = Buffer.from(body.join('\r\n\r\n'), 'latin1')
  const response = await fetch(upstream + target, {
    method,
    headers,
    ...(content.length > 0 ? { body: content } : {}),
  })
  return answerOf(response.status, response.headers, Buffer.from(await response.arrayBuffer()))
}

function answerOf(status: number, headers: Headers, body: Buffer): Buffer {
  headers.delete('transfer-encoding')
  headers.delete('content-encoding')
  headers.set('content-length', String(body.length))
  headers.set('connection', 'close')
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Any\r\n${lines}\r\n`), body])
}

function madeUp({ status, code, headers = {} }: Exclude<Fault, string>): Buffer {
  const type = code === undefined ? 'text/html' : 'application/problem+json'
  const body =
    code === undefined ? '<p>not the API' : JSON.stringify({ code, status, hint: 'Wait.' })
  return answerOf(status, new Headers({ 'content-type': type, ...headers }), Buffer.from(body))
}

/** Replaces the ID with an ID of the same length. */
const withOtherId = (answer: Buffer) =>
  Buffer.from(
    answer.toString('latin1').replace(/"id":"([a-z]+)_\w{26}"/, `"id":"$1_${'0'.repeat(26)}"`),
    'latin1',
  )

async function apply(socket: Socket, fault: Fault, upstream: string, text: string): Promise<void> {
  if (typeof fault === 'object') return void socket.end(madeUp(fault))
  if (fault === 'cut after send') return void socket.destroy()
  const first = forwarded(upstream, text)
  const answer =
    fault === 'twice' ? await Promise.race([first, forwarded(upstream, text)]) : await first
  if (fault === 'cut after commit') return void socket.destroy()
  if (fault === 'other id') return void socket.end(withOtherId(answer))
  if (fault === 'slow body') return void socket.write(answer.subarray(0, answer.length - 20))
  if (fault === 'cut in body') {
    const half = answer.subarray(0, answer.length - 20)
    return void socket.end(half)
  }
  if (fault === 'late') return
  socket.end(answer)
}

export async function openProxy(upstream: string, ...faults: Fault[]) {
  const seen: ProxyTraffic[] = []
  const failures: unknown[] = []
  const server = createServer(socket => {
    const fault = faults[0] ?? 'pass'
    if (fault === 'cut before') {
      faults.shift()
      seen.push({ line: '', key: undefined, text: '' })
      socket.destroy()
      return
    }
    void requestOf(socket)
      .then(text => {
        // Runtimes may open connections that they never use.
        if (text === undefined) return undefined
        const key = /^idempotency-key: (.*?)\r/im.exec(text)?.[1]
        seen.push({ line: text.split('\r\n')[0] ?? '', key, text })
        return apply(socket, faults.shift() ?? 'pass', upstream, text)
      })
      .catch(failure => failures.push(failure))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => new Promise(resolve => server.close(resolve))
  return { url: `http://127.0.0.1:${port}`, seen, failures, close }
}
