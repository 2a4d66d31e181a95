import { mappingNames, mappings } from '#contract/fhir/mappings.ts'
import { parametersOf } from '#contract/fhir/operations.ts'
import { fhirTable, fhirTypeNames, scopesOfType } from '#contract/fhir/resource-types.ts'
import { scopeLink } from '#content/reference.ts'
import { markdownTable } from '../figures/figures.ts'

// Facts about the FHIR preview, from its contract, so the guide matches the server.

const code = (text: string) => `\`${text}\``

const types = () =>
  markdownTable(
    ['type', 'is', 'search parameters', 'scopes'],
    fhirTypeNames.map(type => [
      type,
      fhirTable[type].is,
      parametersOf(type).map(code).join(', '),
      scopesOfType(type).map(scopeLink).join(', '),
    ]),
  )

const mapping = () =>
  mappingNames
    .map(name => {
      const { type, of, rules } = mappings[name]
      const rows = rules.map(({ element, from, says }) => [
        code(element.replaceAll(/\[\d\]/g, '')),
        from.map(code).join(', '),
        says,
      ])
      return `### ${type} from a ${of}\n\n${markdownTable(['element', 'field', 'how'], rows)}`
    })
    .join('\n\n')

export const fhirBlocks: Readonly<Record<string, () => string>> = {
  'fhir-types': types,
  'fhir-mapping': mapping,
}
