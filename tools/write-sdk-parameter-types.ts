import { writeFile } from 'node:fs/promises'
import { defaultFamilies } from '../packages/server/src/catalogue/default-families.ts'
import { sdkParameterTypes } from './sdk-parameter-types.ts'

await writeFile(new URL('../packages/sdk/src/model-parameters.ts', import.meta.url), sdkParameterTypes(defaultFamilies))
