// Definitions that the endpoint, card and row of the A2A agent at /api/a2a share.

export const a2aPath = '/api/a2a'

/** Protocol versions, preferred first. A caller without the header gets the last one. */
export const a2aVersions = ['1.0', '0.3'] as const

/** The fields of a booking's data part; `true` marks the required ones. */
export const a2aFields = {
  first_name: true,
  email: true,
  last_name: false,
  phone: false,
  company: false,
  notes: false,
  start: false,
  timezone: false,
  user_consent: false,
} as const

export const a2aExample = { first_name: 'Ada', email: 'ada@example.com', user_consent: true }

type A2aTexts = {
  readonly site: string
  readonly name: string
  readonly minutes: number
  /** What a caller confirms by sending a person's details, with the question to ask that person. */
  readonly stated: string
  readonly notMedical: string
  readonly privacy: string
}

/** The card in protocol 1.0, which allows no other fields. */
export function agentCard(texts: A2aTexts) {
  const { site, name, minutes } = texts
  const url = `${site}${a2aPath}`
  const modes = ['application/json', 'text/plain']
  return {
    name: `${name} site agent`,
    description: `Books the free ${minutes}-minute discovery call with ${name}. It does not use a language model; it asks for missing details in fixed wording. ${texts.notMedical}`,
    version: '1.0.0',
    supportedInterfaces: a2aVersions.map(protocolVersion => ({
      url,
      protocolBinding: 'JSONRPC',
      protocolVersion,
    })),
    provider: { organization: name, url: site },
    documentationUrl: `${site}/developers`,
    capabilities: { streaming: false, pushNotifications: false },
    defaultInputModes: modes,
    defaultOutputModes: modes,
    skills: [
      {
        id: 'book_discovery_call',
        name: 'Book the discovery call',
        description: `Ask your user first. ${texts.stated} Send one data part: first_name and email; user_consent, last_name, phone, company, notes, start (ISO 8601, with an offset) and timezone (IANA) if you have them. ${texts.privacy}`,
        tags: ['booking', 'discovery-call', 'free'],
        examples: ['I would like a demo', JSON.stringify(a2aExample)],
        inputModes: modes,
        outputModes: modes,
      },
    ],
  }
}

/** The same card with the fields of 0.3, which 1.0 clients ignore. */
export function hybridCard(texts: A2aTexts): object {
  const url = `${texts.site}${a2aPath}`
  return {
    protocolVersion: '0.3.0',
    url,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [{ url, transport: 'JSONRPC' }],
    ...agentCard(texts),
  }
}
