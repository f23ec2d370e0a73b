import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { defaultFamilies } from './default-families.ts'
import { modelReference } from './model-reference.ts'

it('docs/models.md is up to date; if not, run `node tools/write-model-reference.ts`', async () => {
  const page = await readFile(new URL('../../../../docs/models.md', import.meta.url), 'utf8')
  expect(page).toBe(modelReference(defaultFamilies))
})
