import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { loadConfig } from '../config/load-config.ts'
import { Secret } from '../config/secret.ts'
import { packConfig, unpackConfig } from './packed-config.ts'

const fileText = `
upstreams:
  - { name: kling, driver: kling, api_key: '\${KLING_KEY}', in_flight_max: 5 }
routes:
  - { name: first, model: vidC-3.0, upstream: kling, upstream_model: kling-v3 }
`

it('a copy of the settings in another thread has the same secrets and values, except for line numbers', () => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'framegate-packed-'))
  writeFileSync(path.join(cwd, 'framegate.yaml'), fileText)
  const env = { KLING_KEY: 'key of kling', FRAMEGATE_BOOTSTRAP_KEY: 'k'.repeat(20), FRAMEGATE_CORS_ORIGINS: '*' }
  const config = loadConfig({ env, cwd })
  const copy = unpackConfig(structuredClone(packConfig(config)))
  expect(copy.bootstrapKey).toBeInstanceOf(Secret)
  expect(copy.bootstrapKey?.reveal()).toBe('k'.repeat(20))
  expect(copy.routing.lineOf([])).toBe(1)
  const routing = { ...config.routing, lineOf: expect.anything() }
  expect(copy).toMatchObject({ ...config, bootstrapKey: expect.anything(), routing })
  rmSync(cwd, { recursive: true })
})
