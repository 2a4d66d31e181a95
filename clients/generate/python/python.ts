// The generated part of the Python library.

import config from '#content/site.config.ts'
import { snake } from '#contract/derive/names.ts'
import type { Model, ProblemModel } from '../model.ts'
import { write } from '../write.ts'
import { exportFiles } from './exports.ts'
import { formatPython } from './format.ts'
import { namespaceFiles, resourceFiles } from './resources.ts'
import { modulesOf, schemaFiles } from './schemas.ts'
import { docstring, exportsText, importsFor, notice, typeText, valueText } from './text.ts'

const folder = 'python/src/svc'

/** Writes the library's generated part, which isn't committed: packing calls this. */
export const writePython = (model: Model) => write(pythonFiles(model), `${folder}/generated`)

/** A problem's error class, with the fields only that problem has. */
function problemText({ className, title, status, hint, fields }: ProblemModel): string {
  const members = fields
    .filter(({ name }) => name !== 'errors')
    .map(({ name, type, description = '' }) => {
      const text = typeText(type, false)
      const about = description.replace(/^With `\w+`(?: and `\w+`)*: /, '')
      const sentence = `${about.charAt(0).toUpperCase()}${about.slice(1)}`
      const doc = sentence === '' ? '' : docstring([sentence], 4)
      return `    ${name}: Optional[${text}] = None\n${doc}`
    })
  return `class ${className}(APIError):\n${docstring([`${title} (${status}). ${hint}`], 4)}\n${members.join('')}`
}

function problemsFile(model: Model): string {
  const classes = model.problems.map(problemText).join('\n\n')
  const known = model.problems.map(({ code, className }) => `"${code}": ${className}`)
  const table = `PROBLEMS: Dict[str, Type[APIError]] = {${known.join(', ')}}\n`
  const { datetime, typing = [], ...ours } = modulesOf(model, '.')
  const standard = importsFor(classes + table, { datetime: datetime ?? [], typing })
  const local = importsFor(classes, { '.._errors': ['APIError'], ...ours })
  return `"""One error class for each API error code."""\n\nfrom __future__ import annotations\n\n${standard}\n${local}\n${exportsText(model.problems.map(({ className }) => className))}\n\n${classes}\n\n${table}`
}

function contractFile(model: Model): string {
  const { slug, apiVersion, transport, limits, oauth, events, realtime } = model
  const { pauseSeconds, webhookHeaders, ...rest } = transport
  const constants = {
    SLUG: slug,
    ENVIRONMENT_PREFIX: slug.toUpperCase().replaceAll('-', '_'),
    DEFAULT_BASE_URL: config.api,
    API_VERSION: apiVersion,
    PAGE_MAX: limits.pageMax,
    REALTIME_PATH: realtime.path,
    REALTIME_PROTOCOL: realtime.protocol,
    TOKEN_PATH: oauth.tokenPath,
    RESOURCE_METADATA_PATH: oauth.metadataPath,
    PAUSE_FIRST_SECONDS: pauseSeconds.first,
    PAUSE_LONGEST_SECONDS: pauseSeconds.longest,
    ...Object.fromEntries(
      Object.entries(rest).map(([name, value]) => [snake(name).toUpperCase(), value]),
    ),
    ...Object.fromEntries(
      Object.entries(webhookHeaders).map(([name, value]) => [
        `WEBHOOK_${name.toUpperCase()}_HEADER`,
        value,
      ]),
    ),
    EVENT_RESOURCES: Object.fromEntries(events.map(({ type, resource }) => [type, resource])),
  }
  const lines = Object.entries(constants).map(([name, value]) => `${name} = ${valueText(value)}\n`)
  return `"""Values shared by the contract and all clients."""\n\n${lines.join('')}`
}

/** Data for an in-memory sandbox: an example of each result, problem texts, and transitions. */
function examplesFile({ operations, problems, machines, sandbox }: Model): string {
  const examples = new Map<string, unknown>()
  for (const { result, answer } of operations) {
    if (result.kind === 'resource') examples.set(result.type, answer)
    const items = (answer as { data?: unknown[] } | null)?.data
    if (result.kind === 'page' && !examples.has(result.item)) examples.set(result.item, items?.[0])
  }
  const [patient] = Object.values(
    operations.find(one => one.id === 'createPatient')?.examples ?? {},
  )
  const texts = problems.map(({ code, status, title, hint }) => [code, { status, title, hint }])
  const moves = Object.values(machines).flatMap(({ transitions }) =>
    Object.values(transitions).map(({ by, from, says }) => [by, { from, says: says ?? '' }]),
  )
  const constants: [string, string, unknown][] = [
    ['EXAMPLES', 'Dict[str, Dict[str, Any]]', Object.fromEntries(examples)],
    ['PATIENT_PARAMS', 'Dict[str, Any]', patient],
    ['PROBLEM_TEXTS', 'Dict[str, Dict[str, Any]]', Object.fromEntries(texts)],
    ['LIMITS', 'Dict[str, int]', sandbox],
    ['TRANSITIONS', 'Dict[str, Dict[str, Any]]', Object.fromEntries(moves)],
  ]
  const lines = constants.map(([name, type, value]) => `${name}: ${type} = ${valueText(value)}\n`)
  return `"""For \`svc.testing\`: examples with made-up people, refusals, and states."""\n\nfrom __future__ import annotations\n\nfrom typing import Any, Dict\n\n${lines.join('\n')}`
}

const timeZonesFile = ({ timeZones }: Model): string =>
  `"""IANA time zones by state."""\n\nfrom __future__ import annotations\n\nfrom typing import Dict\n\nTIME_ZONES: Dict[str, str] = ${valueText(timeZones)}\n`

/** The generated files, by path. */
export function pythonFiles(model: Model): Map<string, string> {
  const generated: [string, string][] = [
    ['__init__.py', ''],
    ['contract.py', contractFile(model)],
    ['problems.py', problemsFile(model)],
    ['examples.py', examplesFile(model)],
    ['time_zones.py', timeZonesFile(model)],
    ...namespaceFiles(model),
    ...schemaFiles(model),
    ...resourceFiles(model),
  ]
  const files = [
    ...generated.map(([name, text]) => [`generated/${name}`, text] as const),
    ...exportFiles(model),
  ]
  return new Map(
    files.map(([name, text]) => [
      `${folder}/${name}`,
      formatPython(`${folder}/${name}`, notice + text),
    ]),
  )
}
