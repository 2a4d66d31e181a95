// Each consent document's current version, in a sandbox.

import { Consent } from '../api/patients.ts'
import { definePreview } from '../operation.ts'
import { closed, named, nullable, text } from '../shapes.ts'

const { kind, version } = Consent.properties

const ConsentVersions = named('ConsentVersions', 'The version in force of each consent document.', {
  telehealth: nullable(text(1, 64), { description: 'null if you have published none.' }),
  privacy: nullable(text(1, 64), { description: 'null if you have published none.' }),
})

const row = {
  path: '/preview/test/consent_versions',
  tag: 'Consent versions',
  scope: 'test:manage',
  mode: 'test',
  tool: false,
  status: 200,
  returns: ConsentVersions,
} as const

export const consentVersions = definePreview({
  getConsentVersions: {
    ...row,
    method: 'GET',
    summary: 'Read which consent versions are in force in your sandbox.',
  },
  publishConsentVersion: {
    ...row,
    method: 'POST',
    summary: 'Publish a new version of a consent document in your sandbox.',
    description:
      'Puts a version in force, as when your telehealth or privacy document changes. From then on, ' +
      'consents to any other version of that kind are superseded, and a case that names one is ' +
      'refused with `consent_required`, until the patient accepts the new version. Filed cases stay ' +
      'as they are.',
    body: closed({
      kind,
      version: nullable(version, {
        description: 'The version to put in force. null withdraws what you published.',
      }),
    }),
  },
})
