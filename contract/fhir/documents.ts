// The FHIR preview's CapabilityStatement and SMART configuration.

import { previewVersion } from '../limits.ts'
import { oauthPaths } from '../oauth.ts'
import type { Scope } from '../scopes.ts'
import { parametersOf, searchParameters } from './operations.ts'
import {
  fhirMime,
  fhirPath,
  fhirTable,
  fhirTypeNames,
  fhirVersion,
  isFhirType,
  scopesOfType,
} from './resource-types.ts'

type Origins = { readonly api: string; readonly auth: string }

const bulkDefinition = 'http://hl7.org/fhir/uv/bulkdata/OperationDefinition'

const interactions = [{ code: 'read' }, { code: 'search-type' }]

export const capabilityStatement = ({ api, auth }: Origins) => ({
  resourceType: 'CapabilityStatement',
  status: 'active',
  date: previewVersion,
  kind: 'instance',
  software: { name: 'Clinical Integrations API: FHIR preview', version: previewVersion },
  implementation: {
    description: "One integration's patients at one clinic, read-only.",
    url: `${api}${fhirPath}`,
  },
  fhirVersion,
  format: [fhirMime, 'json'],
  rest: [
    {
      mode: 'server',
      security: {
        extension: [
          {
            url: 'http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris',
            extension: [{ url: 'token', valueUri: `${auth}${oauthPaths.token}` }],
          },
        ],
        service: [
          {
            coding: [
              {
                system: 'http://terminology.hl7.org/CodeSystem/restful-security-service',
                code: 'SMART-on-FHIR',
              },
            ],
          },
        ],
        description: 'A bearer token: an API key, or an access token from client credentials.',
      },
      resource: fhirTypeNames.map(type => ({
        type,
        ...(fhirTable[type].profile ? { supportedProfile: [fhirTable[type].profile] } : {}),
        interaction: interactions,
        searchParam: parametersOf(type).map(name => ({
          name,
          type: searchParameters[name].type,
          documentation: searchParameters[name].is,
        })),
        ...(type === 'Patient'
          ? {
              operation: [
                {
                  name: 'everything',
                  definition: 'http://hl7.org/fhir/OperationDefinition/Patient-everything',
                },
                { name: 'export', definition: `${bulkDefinition}/patient-export` },
              ],
            }
          : {}),
      })),
      operation: [{ name: 'export', definition: `${bulkDefinition}/export` }],
    },
  ],
})

export const smartConfiguration = ({ auth }: Origins) => ({
  token_endpoint: `${auth}${oauthPaths.token}`,
  grant_types_supported: ['client_credentials'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  code_challenge_methods_supported: ['S256'],
  scopes_supported: ['system/*.read', ...fhirTypeNames.map(type => `system/${type}.read`)],
  capabilities: ['client-confidential-symmetric', 'permission-v1', 'permission-v2'],
})

/** Returns our scopes for a list of requested scopes. A SMART read scope, such as
 *  `system/Patient.read` or `system/Patient.rs`, becomes the scopes that the FHIR type needs; any
 *  other scope stays. */
export const scopesOfSmart = (asked: readonly string[]): string[] => [
  ...new Set(asked.flatMap((scope): readonly string[] => ofSmart(scope) ?? [scope])),
]

function ofSmart(scope: string): readonly Scope[] | null {
  const type = /^system\/(\*|[A-Z]\w+)\.(?:read|rs)$/.exec(scope)?.[1]
  if (type === '*') return fhirTypeNames.flatMap(scopesOfType)
  return type !== undefined && isFhirType(type) ? scopesOfType(type) : null
}
