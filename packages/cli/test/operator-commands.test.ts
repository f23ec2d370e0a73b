import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const document = fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url))
const sources = fileURLToPath(new URL('../src', import.meta.url))

it("each resource of the operator's API has a command", () => {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const text = files.map((file) => readFileSync(path.join(sources, file), 'utf8')).join('\n')
  const { paths } = JSON.parse(readFileSync(document, 'utf8')) as { paths: object }
  const resources = Object.keys(paths).flatMap((name) => /^\/admin\/v1\/([a-z-]+)/.exec(name)?.[1] ?? [])
  expect(resources.length).toBeGreaterThan(10)
  expect([...new Set(resources)].filter((resource) => !text.includes(`/admin/v1/${resource}`))).toEqual([])
})
