import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { defaultFamilies } from '../packages/server/src/catalogue/default-families.ts'
import { pythonParameterTypes } from './python-parameter-types.ts'

it('the parameter types of the Python client match the catalogue', () => {
  const written = readFileSync(new URL('../packages/python/src/framegate/parameters.py', import.meta.url), 'utf8')
  expect(written, 'run: node tools/write-python-parameter-types.ts').toBe(pythonParameterTypes(defaultFamilies))
})
