import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openApiText } from './openapi-text.ts'

it('docs/openapi.json describes the current API (otherwise run: node tools/write-openapi.ts)', () => {
  expect(readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8')).toBe(openApiText())
})
