import { writeFile } from 'node:fs/promises'
import { defaultFamilies } from '../packages/server/src/catalogue/default-families.ts'
import { pythonParameterTypes } from './python-parameter-types.ts'

const file = new URL('../packages/python/src/framegate/parameters.py', import.meta.url)
await writeFile(file, pythonParameterTypes(defaultFamilies))
