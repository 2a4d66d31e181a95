// Realtime clients that follow content/docs/realtime.md: after every connect, each client reads the
// events it missed, and each client reconnects when the server restarts.
import { readFileSync } from 'node:fs'
import type { Access, Call } from './client.ts'
import { countedType } from './ledger.ts'

type Message = { name: string; data: { id: string } }
const restarting = 1012
const pauseSecondsMax = 5

/** Polls the events after the given one. */
async function eventsAfter(call: Call, key: string, after: string | undefined): Promise<string[]> {
  const found: string[] = []
  for (let last = after; ; last = found.at(-1)) {
    const query = last === undefined ? '' : `&starting_after=${last}`
    const answer = await call(key, `/v1/events?limit=100&type=${countedType}${query}`)
    if (answer?.status !== 200) throw new Error(`events: ${answer?.status ?? 'none'}`)
    const { data } = JSON.parse(answer.text) as { data: { id: string }[] }
    found.push(...data.map(({ id }) => id))
    if (data.length < 100) return found
  }
}

/** Opens a socket with a new token. Throws if the token is refused. */
async function openSocket(access: Access, call: Call, key: string): Promise<WebSocket> {
  const made = await call(key, '/v1/realtime/tokens', { key: crypto.randomUUID() })
  if (made?.status !== 201) throw new Error(`token: ${made?.status ?? 'none'}`)
  const { token } = JSON.parse(made.text) as { token: string }
  const options = {
    protocols: ['svc.v1', `bearer.${token}`],
    headers: { host: new URL(access.url).host },
    tls: { ca: readFileSync(access.authority, 'utf8') },
  }
  return new WebSocket(`wss://${access.address}/v1/realtime`, options as never)
}

export function openSubscriber(access: Access, call: Call, key: string) {
  const seen = new Set<string>()
  const heard = new Set<string>()
  const closes: Record<string, number> = {}
  const failed: string[] = []
  let isLast = false
  let socket: WebSocket | undefined
  let reading: Promise<void> = Promise.resolve()
  // New events may arrive before older events are read, so reading resumes where the last read
  // ended.
  let readTo: string | undefined
  const catchUp = async () => {
    const missed = await eventsAfter(call, key, readTo)
    readTo = missed.at(-1) ?? readTo
    for (const id of missed) seen.add(id)
  }
  const later = (work: () => Promise<void>) => {
    reading = reading.then(work).catch((failure: Error) => void failed.push(failure.message))
  }
  const connect = async (): Promise<void> => {
    const opened = await openSocket(access, call, key)
    socket = opened
    let isOpen = false
    opened.addEventListener('message', ({ data }) => {
      const { name, data: event } = JSON.parse(String(data)) as Message
      isOpen = true
      if (name === 'hello') later(catchUp)
      if (name !== countedType) return
      heard.add(event.id)
      seen.add(event.id)
    })
    opened.addEventListener('close', ({ code }) => {
      if (isLast) return
      closes[code] = (closes[code] ?? 0) + 1
      if (!isOpen) failed.push(`not opened: ${code}`)
      if (code !== restarting) failed.push(`closed: ${code}`)
      void Bun.sleep(Math.random() * pauseSecondsMax * 1000).then(begin)
    })
  }
  const begin = () => void connect().catch((failure: Error) => failed.push(failure.message))
  begin()
  return {
    seen,
    heard,
    closes,
    failed,
    async finish() {
      isLast = true
      socket?.close()
      await reading
      await catchUp()
    },
  }
}
