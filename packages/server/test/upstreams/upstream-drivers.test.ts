import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCatalogue } from '../../src/catalogue/catalogue.ts'
import { defaultFamilies } from '../../src/catalogue/default-families.ts'
import { readRoutingFile } from '../../src/config/routing-file.ts'
import { upstreamDrivers } from '../../src/drivers/upstream-drivers.ts'
import { loadRouting } from '../../src/routing/configuration/load-routing.ts'
import { modelsForRouting } from '../../src/tasks/models-for-routing.ts'

const pageIndex = readFileSync(new URL('../../../../docs/upstreams.md', import.meta.url), 'utf8')
const pageUrl = (name: string) => new URL(`../../../../docs/upstreams/${name}.md`, import.meta.url)
const testFile = (name: string) => new URL(`${name}.test.ts`, import.meta.url)
const names = upstreamDrivers.map(({ name }) => name)
const routableModels = modelsForRouting(createCatalogue(defaultFamilies), upstreamDrivers)

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-upstreams-'))
  const inputs = { text: '', seed: 0, width: 0, height: 0, length: 0, fps: 0 }
  const nodes = Object.fromEntries(['3', '6', '40', '47'].map((id) => [id, { class_type: 'Any', inputs }]))
  writeFileSync(path.join(folder, 'wan-text-to-video.json'), JSON.stringify(nodes))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.each(names)('the driver %s has a page for operators, an entry in the list of pages, and a test', (name) => {
  expect(existsSync(pageUrl(name)), 'docs/upstreams').toBe(true)
  expect(pageIndex, 'docs/upstreams.md').toContain(`(upstreams/${name}.md)`)
  expect(existsSync(testFile(name)), 'test/upstreams').toBe(true)
})

it.each(names)('the routes on the page of %s can be used unchanged', (name) => {
  const [, yaml = ''] = /```yaml\n([\s\S]+?)```/.exec(readFileSync(pageUrl(name), 'utf8')) ?? []
  const env = Object.fromEntries([...yaml.matchAll(/\$\{(\w+)\}/g)].map(([, variable]) => [variable, 'fg_live_or-any-other']))
  const violations: string[] = []
  const file = readRoutingFile(yaml, { env, label: name, path: '', baseDir: folder }, violations)
  const { upstreams, routes } = loadRouting(file, routableModels)
  expect(violations).toEqual([])
  expect(upstreams.map(({ driver }) => driver?.name)).toEqual([name])
  expect(routes.length).toBeGreaterThan(0)
})

it('no two drivers have the same name', () => {
  expect(new Set(names).size).toBe(names.length)
})
