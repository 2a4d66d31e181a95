// A real mail server on a free port, which does to mail what the tests tell it to.
import type { Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export type Fate =
  | 'accept'
  /** Refused with this code, at the recipient or after the data. */
  | { readonly code: number; readonly at: 'recipient' | 'data' }
  /** The line goes dead in the middle of the mail. */
  | 'hang up'
  /** Everything is taken in, and the answer never arrives. */
  | 'hang up after'

export type Received = { readonly to: string; readonly email: Email; readonly raw: string }

/** The next fate, if it happens at this place. */
function nextAt(fates: Fate[], place: 'recipient' | 'data'): Fate {
  const [next = 'accept'] = fates
  const where = typeof next === 'object' ? next.at : 'data'
  return where === place ? (fates.shift() ?? next) : 'accept'
}

const refusal = (code: number) =>
  Object.assign(new Error('no mail for ada@rivera-clinic.com'), { responseCode: code })

type Hall = {
  fates: Fate[]
  take: (one: Received) => void
  /** Whoever calls is greeted when this settles. */
  greeting: () => Promise<void>
}

function serverOf({ fates, take, greeting }: Hall): SMTPServer {
  const lines = new Map<number, Socket>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    disableReverseLookup: true,
    async onConnect(_session, done) {
      await greeting()
      done()
    },
    onRcptTo(_address, _session, done) {
      const fate = nextAt(fates, 'recipient')
      if (typeof fate === 'object') done(refusal(fate.code))
      else done()
    },
    onData(stream, session, done) {
      const fate = nextAt(fates, 'data')
      const chunks: Buffer[] = []
      const cut = () => void lines.get(session.remotePort)?.destroy()
      stream.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        if (fate === 'hang up') cut()
      })
      const takeIn = async () => {
        if (fate === 'hang up') return
        if (typeof fate === 'object') return done(refusal(fate.code))
        const raw = Buffer.concat(chunks).toString()
        const to = session.envelope.rcptTo[0]?.address ?? ''
        const email = await PostalMime.parse(raw)
        if (fate === 'hang up after') cut()
        else done()
        take({ to, email, raw })
      }
      stream.on('end', () => void takeIn())
    },
  })
  server.server.on('connection', (line: Socket) => void lines.set(line.remotePort ?? 0, line))
  server.on('error', () => {})
  return server
}

export async function sampleServer() {
  const received: Received[] = []
  const fates: Fate[] = []
  let heard = () => {}
  let greeting = Promise.resolve()
  const take = (one: Received) => {
    received.push(one)
    heard()
  }
  const server = serverOf({ fates, take, greeting: () => greeting })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    fates,
    /** Greets nobody from now on, until the answer is called. */
    hold(): () => void {
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      greeting = released
      return release
    },
    /** Until so many have arrived. */
    async until(count: number): Promise<void> {
      while (received.length < count) {
        const { promise: next, resolve: now } = Promise.withResolvers<void>()
        heard = now
        await next
      }
    },
    close: () => new Promise<void>(done => server.close(done)),
  }
}
