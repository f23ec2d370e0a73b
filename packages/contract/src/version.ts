import packageJson from '../package.json' with { type: 'json' }

export const contractVersion = packageJson.version
