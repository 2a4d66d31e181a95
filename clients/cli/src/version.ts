import manifest from '../manifest.json' with { type: 'json' }

export const { version } = manifest
