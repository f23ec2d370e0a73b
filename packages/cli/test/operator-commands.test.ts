import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const documentFile = fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url))
const sourceFolder = fileURLToPath(new URL('../src', import.meta.url))

it("the CLI's code uses each resource of the operator's API", () => {
  const files = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const text = files.map((file) => readFileSync(path.join(sourceFolder, file), 'utf8')).join('\n')
  const { paths } = JSON.parse(readFileSync(documentFile, 'utf8')) as { paths: object }
  const resources = Object.keys(paths).flatMap((name) => /^\/admin\/v1\/([a-z-]+)/.exec(name)?.[1] ?? [])
  expect(resources.length).toBeGreaterThan(10)
  expect([...new Set(resources)].filter((resource) => !text.includes(`/admin/v1/${resource}`))).toEqual([])
})
