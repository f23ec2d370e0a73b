import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { defaultFamilies } from '../packages/server/src/catalogue/default-families.ts'
import { sdkParameterTypes } from './sdk-parameter-types.ts'

it('the parameter types of the SDK match the catalogue', () => {
  const written = readFileSync(new URL('../packages/sdk/src/model-parameters.ts', import.meta.url), 'utf8')
  expect(written, 'run: node tools/write-sdk-parameter-types.ts').toBe(sdkParameterTypes(defaultFamilies))
})
