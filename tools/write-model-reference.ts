import { writeFile } from 'node:fs/promises'
import { defaultFamilies } from '../packages/server/src/catalogue/default-families.ts'
import { modelReference } from '../packages/server/src/catalogue/model-reference.ts'

await writeFile(new URL('../docs/models.md', import.meta.url), modelReference(defaultFamilies))
