import { fileURLToPath } from 'node:url'
import { buildSdk } from './sdk-package.ts'

buildSdk(fileURLToPath(new URL('../packages/sdk/dist', import.meta.url)))
