// The modules that programs import from. The modules' lists are spelled out, because type checkers
// can't compute them.

import type { Model } from '../model.ts'
import { nestedInputs, resultNames } from './schemas.ts'
import { exportsText } from './text.ts'

const namesOf = (list: readonly { name: string }[]) => list.map(({ name }) => name)
const importsOf = (module: string, names: readonly string[]) =>
  `from ${module} import ${names.join(', ')}\n`

/** Handwritten errors, next to the contract's. */
const ownErrors = [
  'APIError',
  'ConfigurationError',
  'ConnectionError',
  'MismatchedResponseError',
  'SignatureVerificationError',
  'SvcError',
  'TimeoutError',
  'TokenError',
  'WaitTimeoutError',
]

/** Handwritten types, by module. */
const ownTypes = {
  '._answers': ['Download', 'RawResponse'],
  '._extended': ['BothConsents'],
  '._options': ['CallOptions', 'WaitOptions', 'WriteOptions'],
  '._pages': ['AsyncPage', 'Page'],
  '._settings': ['ResponseInfo'],
  '._streams': ['AsyncStream', 'Stream'],
}

const ownNames = {
  '._client': ['Client'],
  '._given': ['NOT_GIVEN', 'NotGiven'],
  '._time_zones': ['time_zone_of'],
  '._version': ['__version__'],
}

type Modules = Readonly<Record<string, readonly string[]>>

function moduleText(about: string, modules: Modules, late: readonly string[] = []): string {
  const standard = late.length > 0 ? importsOf('typing', ['TYPE_CHECKING', 'Any']) : ''
  const imports = Object.entries(modules).map(([module, names]) => importsOf(module, names))
  const names = [...Object.values(modules).flat(), ...late].toSorted()
  return `"""${about}"""\n\n${standard}${imports.join('')}\n${exportsText(names)}`
}

/** Imports AsyncClient, and with it asyncio, on first use. */
const late = `
if TYPE_CHECKING:
    from ._async_client import AsyncClient


def __getattr__(name: str) -> Any:
    if name == "AsyncClient":
        from ._async_client import AsyncClient

        return AsyncClient
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
`

export function exportFiles(model: Model): [string, string][] {
  const problems = model.problems.map(({ className }) => className)
  const errors = {
    '._errors': ownErrors,
    '.generated.problems': problems,
  }
  const types = {
    ...ownTypes,
    '.generated.parameters': namesOf(nestedInputs(model)),
    '.generated.results': resultNames(model),
    '.generated.words': namesOf(model.words),
  }
  const about = [
    'The clinical API: `Client`, `AsyncClient`, and the errors they raise.',
    '',
    'Parameter and result types are in `svc.types`, webhooks in `svc.webhooks`, transports in',
    '`svc.transport`, and test helpers in `svc.testing`.\n',
  ].join('\n')
  return [
    ['errors.py', moduleText('Every error this package raises.', errors)],
    ['types.py', moduleText('Parameter and result types.', types)],
    [
      '__init__.py',
      moduleText(
        about,
        {
          ...ownNames,
          '.errors': [...ownErrors, ...problems],
          '.generated.contract': ['API_VERSION'],
        },
        ['AsyncClient'],
      ) + late,
    ],
  ]
}
