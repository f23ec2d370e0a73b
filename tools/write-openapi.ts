import { writeFile } from 'node:fs/promises'
import { openApiText } from './openapi-text.ts'

await writeFile(new URL('../docs/openapi.json', import.meta.url), openApiText())
