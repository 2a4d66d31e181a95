// The first words of commands, with what each is for and where its commands are. A family is loaded
// when its word is typed.

import type { Family } from './arguments.ts'
import { resources } from './contract.ts'

type Group = 'Start' | 'Watch' | 'Act' | 'Learn' | 'Settings' | 'Resources'

export type FamilyRow = {
  readonly name: string
  readonly group: Group
  readonly about: string
  readonly load?: () => Promise<Family>
}

const login = () => import('./commands/login.ts')
const watch = () => import('./commands/events.ts')
const learn = () => import('./commands/learn.ts')
const documents = () => import('./commands/documents.ts')
const settings = () => import('./commands/settings.ts')

/** Families with commands of their own; those of a resource stand beside its operations. */
const own: readonly FamilyRow[] = [
  {
    name: 'login',
    group: 'Start',
    about: 'log in through the browser, or with a key on stdin',
    load: async () => (await login()).loginFamily,
  },
  {
    name: 'logout',
    group: 'Start',
    about: 'revoke the token and forget it',
    load: async () => (await login()).logoutFamily,
  },
  {
    name: 'whoami',
    group: 'Start',
    about: 'organization, mode, scopes and expiry',
    load: async () => (await login()).whoamiFamily,
  },
  {
    name: 'doctor',
    group: 'Start',
    about: 'check the way from here to the API',
    load: async () => (await import('./commands/doctor.ts')).doctorFamily,
  },
  {
    name: 'dev',
    group: 'Start',
    about: 'the whole platform on this machine',
    load: async () => (await import('./commands/dev.ts')).devFamily,
  },
  {
    name: 'listen',
    group: 'Watch',
    about: 'forward events to a local address, signed',
    load: async () => (await import('./commands/listen.ts')).listenFamily,
  },
  {
    name: 'trigger',
    group: 'Watch',
    about: 'write an event of any type about a made-up resource',
    load: async () => (await watch()).triggerFamily,
  },
  {
    name: 'events',
    group: 'Watch',
    about: 'tail, resend, list and get events',
    load: async () => (await watch()).eventsFamily,
  },
  {
    name: 'logs',
    group: 'Watch',
    about: 'the request log: tail, get',
    load: async () => (await import('./commands/logs.ts')).logsFamily,
  },
  {
    name: 'webhooks',
    group: 'Watch',
    about: 'verify or sign a body, with the reason',
    load: async () => (await import('./commands/webhooks.ts')).webhooksFamily,
  },
  {
    name: 'sandbox',
    group: 'Act',
    about: 'scenarios, the clinician, the pharmacy, the clock',
    load: async () => (await import('./commands/sandbox.ts')).sandboxFamily,
  },
  {
    name: 'files',
    group: 'Act',
    about: 'upload a file, or each step of it',
    load: async () => (await import('./commands/files.ts')).filesFamily,
  },
  {
    name: 'api',
    group: 'Act',
    about: 'any call: svc api GET /v1/cases',
    load: async () => (await import('./commands/api.ts')).apiFamily,
  },
  {
    name: 'explain',
    group: 'Learn',
    about: 'what an error or a request means',
    load: async () => (await learn()).explainFamily,
  },
  {
    name: 'docs',
    group: 'Learn',
    about: 'the guides, without the network',
    load: async () => (await learn()).docsFamily,
  },
  {
    name: 'open',
    group: 'Learn',
    about: 'a page in the browser: docs, status, errors/<code>',
    load: async () => (await learn()).openFamily,
  },
  {
    name: 'openapi',
    group: 'Learn',
    about: 'the OpenAPI document',
    load: async () => (await documents()).openapiFamily,
  },
  {
    name: 'postman',
    group: 'Learn',
    about: 'the Postman collection',
    load: async () => (await documents()).postmanFamily,
  },
  {
    name: 'map',
    group: 'Learn',
    about: 'every command',
    load: async () => (await documents()).mapFamily,
  },
  {
    name: 'config',
    group: 'Settings',
    about: 'get, set, list, path',
    load: async () => (await settings()).configFamily,
  },
  {
    name: 'completion',
    group: 'Settings',
    about: 'for bash, zsh, fish and powershell',
    load: async () => (await settings()).completionFamily,
  },
]

const ownNames = new Set(own.map(({ name }) => name))

export const families: readonly FamilyRow[] = [
  ...own,
  ...resources
    .filter(({ name }) => !ownNames.has(name))
    .map(({ name, about }) => ({ name, about, group: 'Resources' as const })),
]

export const isResource = (name: string) => resources.some(one => one.name === name)
