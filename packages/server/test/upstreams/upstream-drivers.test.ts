import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { upstreamDrivers } from '../../src/drivers/upstream-drivers.ts'

const page = (name: string) => new URL(`../../../../docs/upstreams/${name}.md`, import.meta.url)
const trial = (name: string) => new URL(`${name}.test.ts`, import.meta.url)

it.each(upstreamDrivers.map(({ name }) => name))('%s has a page for operators and a trial', (name) => {
  expect(existsSync(page(name)), 'docs/upstreams').toBe(true)
  expect(existsSync(trial(name)), 'test/upstreams').toBe(true)
})

it('knows each driver by one name', () => {
  const names = upstreamDrivers.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
