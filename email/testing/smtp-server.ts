// A real mail server on a free port, with failures chosen by tests.
import type { Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export type Outcome =
  | 'accept'
  /** The email is refused with this code, at the recipient or after the data. */
  | { readonly code: number; readonly at: 'recipient' | 'data'; readonly text?: string }
  /** The connection breaks in the middle of the email. */
  | 'hang up'
  /** The email arrives, and the connection breaks before the reply. */
  | 'hang up after'

export type Received = { readonly to: string; readonly email: Email; readonly raw: string }

/** The next outcome, if it applies to this stage. */
function nextAt(outcomes: Outcome[], place: 'recipient' | 'data'): Outcome {
  const [next = 'accept'] = outcomes
  const where = typeof next === 'object' ? next.at : 'data'
  return where === place ? (outcomes.shift() ?? next) : 'accept'
}

const refusal = ({ code, text = 'no mail for ada@rivera-clinic.com' }: Exclude<Outcome, string>) =>
  Object.assign(new Error(text), { responseCode: code })

type SmtpServerOptions = {
  outcomes: Outcome[]
  take: (one: Received) => void
  /** The server greets clients once this resolves. */
  greeting: () => Promise<void>
}

function serverOf({ outcomes, take, greeting }: SmtpServerOptions): SMTPServer {
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
      const outcome = nextAt(outcomes, 'recipient')
      if (typeof outcome === 'object') done(refusal(outcome))
      else done()
    },
    onData(stream, session, done) {
      const outcome = nextAt(outcomes, 'data')
      const chunks: Buffer[] = []
      const cut = () => void lines.get(session.remotePort)?.destroy()
      stream.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        if (outcome === 'hang up') cut()
      })
      const takeIn = async () => {
        if (outcome === 'hang up') return
        if (typeof outcome === 'object') return done(refusal(outcome))
        const raw = Buffer.concat(chunks).toString()
        const to = session.envelope.rcptTo[0]?.address ?? ''
        const email = await PostalMime.parse(raw)
        if (outcome === 'hang up after') cut()
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

export async function startSmtpServer() {
  const received: Received[] = []
  const outcomes: Outcome[] = []
  let notify = () => {}
  let greeting = Promise.resolve()
  const take = (one: Received) => {
    received.push(one)
    notify()
  }
  const server = serverOf({ outcomes, take, greeting: () => greeting })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    outcomes,
    /** Greets no client until the returned function is called. */
    hold(): () => void {
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      greeting = released
      return release
    },
    /** Resolves when this many emails have arrived. */
    async until(count: number): Promise<void> {
      while (received.length < count) {
        const { promise: next, resolve: now } = Promise.withResolvers<void>()
        notify = now
        await next
      }
    },
    close: () => new Promise<void>(done => server.close(done)),
  }
}
