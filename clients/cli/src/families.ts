// The first words of all commands, each with its description and source file. A family loads when
// its word is typed.

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

/** Families with handwritten commands. A resource's commands are listed next to its operations. */
const own: readonly FamilyRow[] = [
  {
    name: 'login',
    group: 'Start',
    about: 'log in through the browser, or with an API key',
    load: async () => (await login()).loginFamily,
  },
  {
    name: 'logout',
    group: 'Start',
    about: 'log out and revoke the token',
    load: async () => (await login()).logoutFamily,
  },
  {
    name: 'whoami',
    group: 'Start',
    about: 'show the clinic, mode, scopes and expiration',
    load: async () => (await login()).whoamiFamily,
  },
  {
    name: 'doctor',
    group: 'Start',
    about: 'check your connection to the API',
    load: async () => (await import('./commands/doctor.ts')).doctorFamily,
  },
  {
    name: 'dev',
    group: 'Start',
    about: 'run the whole platform on your machine',
    load: async () => (await import('./commands/dev.ts')).devFamily,
  },
  {
    name: 'listen',
    group: 'Watch',
    about: 'forward signed events to a local URL',
    load: async () => (await import('./commands/listen.ts')).listenFamily,
  },
  {
    name: 'trigger',
    group: 'Watch',
    about: 'create a test event of any type',
    load: async () => (await watch()).triggerFamily,
  },
  {
    name: 'events',
    group: 'Watch',
    about: 'follow, read and resend events',
    load: async () => (await watch()).eventsFamily,
  },
  {
    name: 'logs',
    group: 'Watch',
    about: 'tail the request log, or get one request',
    load: async () => (await import('./commands/logs.ts')).logsFamily,
  },
  {
    name: 'webhooks',
    group: 'Watch',
    about: 'verify or sign a webhook body',
    load: async () => (await import('./commands/webhooks.ts')).webhooksFamily,
  },
  {
    name: 'sandbox',
    group: 'Act',
    about: 'play scenarios, clinician and pharmacy; move the clock',
    load: async () => (await import('./commands/sandbox.ts')).sandboxFamily,
  },
  {
    name: 'files',
    group: 'Act',
    about: 'upload a file',
    load: async () => (await import('./commands/files.ts')).filesFamily,
  },
  {
    name: 'api',
    group: 'Act',
    about: 'send any request: svc api GET /v1/cases',
    load: async () => (await import('./commands/api.ts')).apiFamily,
  },
  {
    name: 'explain',
    group: 'Learn',
    about: 'explain an error code or a request',
    load: async () => (await learn()).explainFamily,
  },
  {
    name: 'docs',
    group: 'Learn',
    about: 'read and search the guides, offline',
    load: async () => (await learn()).docsFamily,
  },
  {
    name: 'open',
    group: 'Learn',
    about: 'open docs, status or errors/<code> in the browser',
    load: async () => (await learn()).openFamily,
  },
  {
    name: 'openapi',
    group: 'Learn',
    about: 'print the OpenAPI document',
    load: async () => (await documents()).openapiFamily,
  },
  {
    name: 'postman',
    group: 'Learn',
    about: 'print the Postman collection',
    load: async () => (await documents()).postmanFamily,
  },
  {
    name: 'map',
    group: 'Learn',
    about: 'list every command',
    load: async () => (await documents()).mapFamily,
  },
  {
    name: 'config',
    group: 'Settings',
    about: 'read and change settings',
    load: async () => (await settings()).configFamily,
  },
  {
    name: 'completion',
    group: 'Settings',
    about: 'print a completion script for your shell',
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
