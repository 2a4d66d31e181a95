// Compares the agent endpoints' documents with their responses.
import { at, type Check, list, must, parsed, type Scan, word } from './scan.ts'

const pathIn = (scan: Scan, address: string) => {
  must(address.startsWith(`${scan.site}/`), `${address} is not of this site`)
  return address.slice(scan.site.length)
}

const agent: Check = {
  name: 'agent (A2A), and its cards',
  async run(scan) {
    const where = '/.well-known/agent-card.json'
    const answer = await scan.ask(where)
    must(answer.type === 'application/json', `${where} is ${answer.type}`)
    must(answer.headers.has('last-modified'), `${where} has no Last-Modified`)
    const older = await scan.ask('/.well-known/agent.json')
    must(older.text === answer.text, '/.well-known/agent.json is a different card')
    const card = parsed(answer, where)
    for (const name of ['name', 'description', 'version', 'url', 'protocolVersion']) {
      must(word(at(card, name)) !== '', `${where} has no ${name}`)
    }
    must(list(at(card, 'skills')).length > 0, `${where} lists no skill`)
    const spoken = list(at(card, 'supportedInterfaces'))
    for (const each of spoken) {
      const [url, version] = [word(at(each, 'url')), word(at(each, 'protocolVersion'))]
      must(word(at(each, 'protocolBinding')) === 'JSONRPC', `${url} is not bound to JSONRPC`)
      await greet(scan, pathIn(scan, url), version)
    }
    const { status, headers } = await scan.ask(pathIn(scan, word(at(card, 'url'))))
    must(status === 405 && headers.has('allow'), `GET returned ${status}`)
    return `${spoken.length} versions, each responds; the two cards are equal`
  },
}

/** A text message books nothing; the reply says what to send. */
async function greet(scan: Scan, path: string, version: string): Promise<void> {
  const isOld = version === '0.3'
  const text = 'What do you need to book a call?'
  const message = isOld
    ? { kind: 'message', role: 'user', parts: [{ kind: 'text', text }] }
    : { role: 'ROLE_USER', parts: [{ text }] }
  const method = isOld ? 'message/send' : 'SendMessage'
  const params = { message: { messageId: 'ready', ...message } }
  const answer = await scan.ask(path, {
    method: 'POST',
    headers: { 'a2a-version': version },
    body: { jsonrpc: '2.0', id: 1, method, params },
  })
  const result = at(parsed(answer, `${method} at ${path}`), 'result')
  const parts = list(at(isOld ? result : at(result, 'message'), 'parts'))
  const asks = parts.some(part => word(at(part, 'text')).includes('"first_name"'))
  must(asks, `${path} does not say what it needs, in ${version}`)
}

const checkout: Check = {
  name: 'checkout (ACP), and its discovery document',
  async run(scan) {
    const where = '/.well-known/acp.json'
    const document = parsed(await scan.ask(where), where)
    must(at(document, 'protocol', 'name') === 'acp', `${where} has another protocol`)
    must(list(at(document, 'transports')).includes('rest'), `${where} offers no REST`)
    must(list(at(document, 'capabilities', 'services')).includes('checkout'), 'offers no checkout')
    const dates = list(at(document, 'protocol', 'supported_versions')).map(word)
    must(dates.at(-1) === word(at(document, 'protocol', 'version')), 'the newest date is not last')
    const base = pathIn(scan, word(at(document, 'api_base_url')))
    for (const date of dates) {
      const sent = {
        method: 'POST',
        headers: { 'api-version': date, 'idempotency-key': `ready-${date}` },
        body: { line_items: [{ id: 'discovery-call' }] },
      }
      const { status, text } = await scan.ask(`${base}/checkout_sessions`, sent)
      must(status === 201, `a session with ${date} returned ${status}: ${text}`)
    }
    return `${dates.length} dates, each creates a session`
  },
}

export const agentChecks = [agent, checkout]
