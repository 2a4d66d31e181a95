// Reads which client sent a message, and whether its user can be asked or has answered. Used for
// messages that plain-call.ts leaves to the library.

import { protocolVersions } from '#contract/mcp/servers.ts'
import { type ClientInfo, prefix } from './plain-call.ts'
import { isRecord } from './result.ts'
import type { Confirmation } from './source.ts'

/** The key of the only request that we send to clients. */
const confirmKey = 'confirm'

const paramsOf = (message: unknown): Record<string, unknown> => {
  const params = isRecord(message) ? message['params'] : undefined
  return isRecord(params) ? params : {}
}

const metaOf = (message: unknown): Record<string, unknown> => {
  const { _meta: meta } = paramsOf(message)
  return isRecord(meta) ? meta : {}
}

/** Whether a message uses the revision without a handshake. */
const isNewest = (message: unknown): boolean =>
  metaOf(message)[`${prefix}protocolVersion`] === protocolVersions[0]

/** The client's name and version, from the message or, in earlier revisions, from the handshake. */
export function clientInfoOf(message: unknown): ClientInfo | undefined {
  const info = metaOf(message)[`${prefix}clientInfo`] ?? paramsOf(message)['clientInfo']
  if (!isRecord(info)) return undefined
  const { name, version = '' } = info
  return typeof name === 'string' && typeof version === 'string' ? { name, version } : undefined
}

const agentLengthMax = 200

/** The client name stored with a call, without characters that databases reject, such as NUL. */
export function agentOf(client: ClientInfo | undefined, headers: Headers): string | null {
  const name = client ? `${client.name} ${client.version}` : headers.get('user-agent')
  return name === null
    ? null
    : name
        .toWellFormed()
        .replaceAll(/\p{Cc}/gu, ' ')
        .slice(0, agentLengthMax)
}

/** Only in the newest revision can a server ask without a session. */
export function confirmationOf(message: unknown): Confirmation {
  const { inputResponses } = paramsOf(message)
  const meta = metaOf(message)
  if (!isNewest(message)) return 'unable'
  const answer = isRecord(inputResponses) ? inputResponses[confirmKey] : undefined
  if (isRecord(answer)) {
    const { action, content } = answer
    const isYes = action === 'accept' && isRecord(content) && content[confirmKey] === true
    return isYes ? 'confirmed' : 'declined'
  }
  const capabilities = meta[`${prefix}clientCapabilities`]
  const elicitation = isRecord(capabilities) ? capabilities['elicitation'] : undefined
  // A client that lists no modes supports forms.
  const hasForms =
    isRecord(elicitation) && (Object.keys(elicitation).length === 0 || 'form' in elicitation)
  return hasForms ? 'unasked' : 'unable'
}

/** A result that asks the user through a one-checkbox form. */
export const inputRequired = (message: string) => ({
  resultType: 'input_required' as const,
  inputRequests: {
    [confirmKey]: {
      method: 'elicitation/create' as const,
      params: {
        mode: 'form' as const,
        message,
        requestedSchema: {
          type: 'object' as const,
          properties: { [confirmKey]: { type: 'boolean' as const, title: 'Do it' } },
          required: [confirmKey],
        },
      },
    },
  },
})
