// The possible values for an option or an argument: words from the contract, and recently seen IDs.

import { eventTypes, resources, scopes } from '../contract.ts'
import { operations } from '../operations/operation.ts'
import { formats } from '../output/format.ts'
import { scenarioNames } from '../sandbox/scenarios.ts'
import { seenIds } from '../seen.ts'
import { settingNames, sharedNames } from '../settings/keys.ts'
import { readToml, type Settings, tokenStores } from '../settings/settings.ts'
import { completionScripts } from './scripts.ts'
import type { Field, Operation } from '../../../generate/cli/row.ts'

type Values = readonly string[] | Promise<readonly string[]>

const groups = [...new Set(eventTypes.map(type => `${type.split('.')[0]}.*`))]

/** Values for options of the program's own commands. */
const ofOptions: Readonly<Record<string, (settings: Settings) => Values>> = {
  types: () => [...groups, ...eventTypes],
  events: () => [...groups, ...eventTypes],
  scopes: () => scopes.map(({ name }) => name),
  scenario: () => scenarioNames,
  format: () => formats,
  output: () => formats,
  'token-store': () => tokenStores,
  profile: settings => profiles(settings),
  organization: settings => seen(settings, 'org'),
  endpoint: settings => seen(settings, 'we'),
  case: settings => seen(settings, 'case'),
  patient: settings => seen(settings, 'pat'),
  kind: () => ofField('createFile', 'kind'),
  mime: () => ofField('createFile', 'mime'),
  target: () => ['patient', 'integration'],
}

/** Values for arguments that aren't IDs, by the words before them. */
const ofArguments: Readonly<Record<string, () => Values>> = {
  'svc trigger': () => eventTypes,
  'svc completion': () => Object.keys(completionScripts),
  'svc config get': () => [...Object.keys(settingNames), ...Object.keys(sharedNames)],
  'svc config set': () => [...Object.keys(settingNames), ...Object.keys(sharedNames)],
  'svc open': () => ['docs', 'api', 'status', 'changelog', 'errors/'],
  'svc api': () => ['GET', 'POST', 'PATCH', 'DELETE'],
  'svc sandbox clock': () => ['+1h', '+24h', 'show', 'stop'],
  'svc explain': async () => (await import('../problems.ts')).problems.map(({ code }) => code),
  'svc docs': async () => (await (await import('../offline.ts')).guides()).map(({ slug }) => slug),
  'svc help': () => ['options', ...resources.map(({ name }) => name)],
}

export const seen = (settings: Settings, prefix: string): string[] =>
  seenIds(settings).filter(id => id.startsWith(`${prefix}_`))

const profiles = ({ configFile }: Settings) => Object.keys(readToml(configFile)['profiles'] ?? {})

async function ofField(id: string, name: string): Promise<readonly string[]> {
  const found = (await operations()).find(one => one.id === id)
  return found?.body?.find(one => one.name === name)?.values ?? []
}

function valuesOf(field: Field | undefined, settings: Settings): readonly string[] {
  if (!field) return []
  if (field.values) return field.values
  if (field.type === 'boolean') return ['true', 'false']
  if (field.items) return valuesOf(field.items, settings)
  return field.form?.endsWith('_') ? seen(settings, field.form.slice(0, -1)) : []
}

/** The field names for `-d`, each with its `=`. After a field name, the field's values. */
function ofBody({ body = [] }: Operation, current: string, settings: Settings): string[] {
  const at = current.indexOf('=')
  if (at < 0) return body.map(({ name }) => `${name}=`)
  const name = current.slice(0, at)
  const field = body.find(one => one.name === name)
  return valuesOf(field, settings).map(value => `${name}=${value}`)
}

/** `words` are the command's words: `cases list`. */
export async function optionValues(
  words: string,
  option: string,
  current: string,
  settings: Settings,
): Promise<readonly string[]> {
  const row = (await operations()).find(one => one.words.join(' ') === words)
  if (row && option === 'd') return ofBody(row, current, settings)
  const field = row?.query.find(({ name }) => name.replaceAll('_', '-') === option)
  return field ? valuesOf(field, settings) : ((await ofOptions[option]?.(settings)) ?? [])
}

export const argumentValues = async (line: string): Promise<readonly string[]> =>
  (await ofArguments[line]?.()) ?? []
