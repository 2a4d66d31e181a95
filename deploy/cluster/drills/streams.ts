// Continuous reads during a release: API lists, and /ask responses as server-sent events. Each
// response must arrive whole on its first attempt.
import type { Call, Request } from './client.ts'

const question = '/ask?query=how+do+webhooks+work'

/** Repeats an attempt until `finish` is called. A failed attempt returns the failure's name. */
function repeat(pauseMilliseconds: number, attempt: () => Promise<string | undefined>) {
  const failed: string[] = []
  const stopping = new AbortController()
  let sent = 0
  const ended = (async () => {
    while (!stopping.signal.aborted) {
      sent++
      const failure = await attempt().catch((error: unknown) => String(error))
      if (failure !== undefined) failed.push(failure)
      await Bun.sleep(pauseMilliseconds)
    }
  })()
  return async () => {
    stopping.abort()
    await ended
    return { sent, failed }
  }
}

export const openReads = (call: Call, key: string) =>
  repeat(20, async () => {
    const answer = await call(key, '/v1/patients?limit=5')
    return answer?.status === 200 ? undefined : `${answer?.status ?? 'none'}`
  })

export const openStreams = (request: Request) =>
  repeat(500, async () => {
    const answer = await request(question, { headers: { accept: 'text/event-stream' } })
    const text = await answer.text()
    const isWhole = answer.status === 200 && /\nevent: complete\ndata: \{.*\}\n\n$/.test(text)
    return isWhole ? undefined : `${answer.status} ${text.slice(-80)}`
  })
