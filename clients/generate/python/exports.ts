// The modules that programs import from. Their lists are written out, because type checkers do not
// compute them.

import type { Model } from '../model.ts'
import { nestedInputs, resultTypes } from './schemas.ts'
import { exportsText } from './text.ts'

const namesOf = (list: readonly { name: string }[]) => list.map(({ name }) => name)
const importsOf = (module: string, names: readonly string[]) =>
  `from ${module} import ${names.join(', ')}\n`

/** Errors by hand, beside those of the contract. */
const ownErrors = [
  'APIError',
  'ConfigurationError',
  'ConnectionError',
  'SignatureVerificationError',
  'SvcError',
  'TimeoutError',
  'WaitTimeoutError',
]

/** Types by hand, by their module. */
const ownTypes = {
  '._answers': ['Download', 'RawResponse'],
  '._extended': ['BothConsents'],
  '._pages': ['AsyncPage', 'Page'],
  '._settings': ['ResponseInfo'],
}

const ownNames = {
  '._async_client': ['AsyncClient'],
  '._client': ['Client'],
  '._given': ['NOT_GIVEN', 'NotGiven'],
  '._version': ['__version__'],
}

function moduleText(about: string, modules: Readonly<Record<string, readonly string[]>>): string {
  const imports = Object.entries(modules).map(([module, names]) => importsOf(module, names))
  const names = Object.values(modules).flat().toSorted()
  return `"""${about}"""\n\n${imports.join('')}\n${exportsText(names)}`
}

export function exportFiles(model: Model): [string, string][] {
  const problems = model.problems.map(({ className }) => className)
  const errors = {
    '._errors': ownErrors,
    '.generated.problems': problems,
  }
  const types = {
    ...ownTypes,
    '.generated.parameters': namesOf(nestedInputs(model)),
    '.generated.results': namesOf(resultTypes(model)),
    '.generated.words': namesOf(model.words),
  }
  const about = [
    'The clinical API: `Client`, `AsyncClient`, and the errors that their calls raise.',
    '',
    'Types of parameters and results are in `svc.types`, webhooks in `svc.webhooks`, what sends requests',
    'in `svc.transport`, and what helps to test a program that uses this package in `svc.testing`.\n',
  ].join('\n')
  return [
    ['errors.py', moduleText('Every error that this package raises.', errors)],
    ['types.py', moduleText('The types of parameters and results.', types)],
    [
      '__init__.py',
      moduleText(about, {
        ...ownNames,
        '.errors': [...ownErrors, ...problems],
        '.generated.contract': ['API_VERSION'],
      }),
    ],
  ]
}
