import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { defaultFamilies } from '../packages/server/src/catalogue/default-families.ts'
import { sdkParameterTypes } from './sdk-parameter-types.ts'

it("has written the SDK's parameter types from the catalogue as it is", () => {
  const written = readFileSync(new URL('../packages/sdk/src/model-parameters.ts', import.meta.url), 'utf8')
  expect(written, 'run: node tools/write-sdk-parameter-types.ts').toBe(sdkParameterTypes(defaultFamilies))
})
