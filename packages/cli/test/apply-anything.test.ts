import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { readInstallation } from '../src/apply/installation.ts'
import type { Violation } from '../src/apply/located.ts'
import { planChanges } from '../src/apply/plan.ts'
import { readAppliedFile } from '../src/apply/read-file.ts'
import { runPlan } from '../src/apply/run-plan.ts'
import { stepText } from '../src/apply/show-plan.ts'
import type { ServerSession } from '../src/connection/call-server.ts'
import { startService, type StartedService } from './started-service.ts'

let service: StartedService
let session: ServerSession
beforeAll(async () => {
  service = await startService()
  const call = { signal: new AbortController().signal, onRetry: () => {} }
  session = { client: service.client, baseUrl: service.baseUrl, call }
})
afterAll(async () => service.close())

const runCount = process.env['FRAMEGATE_LONG_TESTS'] === '1' ? 150 : 12
const models = ['imgA-5.0', 'imgA_5.0Pro', 'vidDq3-turbo', 'vidK O3 Video Generation']
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const limit = fc.constantFrom(null, 1, 20)
const credits = fc.constantFrom(null, 0.5, 12.000001, 100)

const price = fc.record({
  model: fc.constantFrom(...models),
  price: fc.option(
    fc.record({ unit: fc.constant('task'), credits: fc.constantFrom({ '*': 1 }, { '*': 0.3 }, { '*': 2.000001 }) }),
  ),
  effective_at: optional(fc.constantFrom('2020-01-01', '2099-01-01', '2100-06-01T12:00Z', 4_200_000_000)),
})
const prices = optional(fc.uniqueArray(price, { maxLength: 4, selector: (item) => `${item.model} ${item.effective_at ?? ''}` }))

const brand = fc.record({
  name: fc.constantFrom('Framegate', 'North', ' South '),
  tasks_in_flight_max: optional(limit),
  credits_in_flight_max: optional(credits),
  other_models: optional(fc.constantFrom('catalogue', 'hidden')),
  result_origin: optional(fc.constantFrom(null, 'https://Media.example.com', 'http://a.example:81/')),
  models: optional(
    fc.uniqueArray(
      fc.record({
        model: fc.constantFrom(...models),
        visibility: optional(fc.constantFrom(null, 'hidden', 'visible', 'invocable')),
        title: optional(fc.constantFrom(null, ' Aurora', 'Borealis')),
      }),
      { maxLength: 3, selector: (item) => item.model },
    ),
  ),
  prices,
})

const key = fc.record({
  name: fc.constantFrom('website', 'app'),
  scopes: optional(fc.constantFrom(['tasks:read'], ['tasks:read', 'tasks:write'], ['tasks:write', 'tasks:read'])),
  models: optional(fc.constantFrom(null, models.slice(0, 2), models.slice(0, 2).toReversed())),
  spent_per_day_max: optional(credits),
  tokens_per_minute_max: optional(fc.constantFrom(null, 9_000)),
  expires_at: optional(fc.constantFrom(null, '2099-01-01', 4_100_000_000)),
})

const account = fc.record({
  name: fc.constantFrom('Client', 'Guest'),
  brand: optional(fc.constantFrom('North', 'Framegate', 'brand_default')),
  status: optional(fc.constantFrom('active', 'suspended')),
  over_limit: optional(fc.constantFrom('wait', 'refuse')),
  credits_in_flight_max: optional(credits),
  requests_per_minute_max: optional(fc.constantFrom(null, 60)),
  grants: optional(fc.uniqueArray(fc.constantFrom(1, 2.5, 7), { maxLength: 2 })),
  keys: optional(fc.uniqueArray(key, { maxLength: 2, selector: (item) => item.name })),
  prices,
})

const hostPool = ['A.example', 'b.example.', 'bücher.example', 'd.example']

const file = fc
  .record({
    brands: fc.uniqueArray(brand, { maxLength: 3, selector: (item) => item.name.trim() }),
    hosts: fc.array(fc.nat(3), { minLength: hostPool.length, maxLength: hostPool.length }),
    accounts: optional(
      fc.uniqueArray(account, { maxLength: 3, selector: (item) => `${item.name} ${item.brand === 'North' ? 'North' : 'usual'}` }),
    ),
    prices,
  })
  .map((file) => {
    const accounts = file.accounts?.map(({ grants, ...account }) => {
      const references = grants?.map((amount) => ({ reference: `of ${amount}`, amount }))
      return references === undefined ? account : Object.assign({}, account, { grants: references })
    })
    // Assigns each host to the brand of its number, if there is one.
    const brands = file.brands.map((brand, index) => {
      const hosts = hostPool.filter((_, host) => file.hosts[host] === index)
      return Object.assign({}, brand, { hosts })
    })
    return { brands, accounts, prices: file.prices }
  })

async function plan(path: string, shouldPrune: boolean, violations: Violation[]) {
  const read = readAppliedFile(path)
  violations.push(...read.violations)
  const installation = await readInstallation(session)
  return planChanges({ file: read.file, installation, shouldPrune, violations, baseUrl: service.baseUrl })
}

it('a second plan of any valid file has no changes after the first was applied', async () => {
  const path = join(service.cwd, 'any.yaml')
  let applied = 0
  await fc.assert(
    fc.asyncProperty(file, fc.boolean(), async (declared, shouldPrune) => {
      writeFileSync(path, stringify(declared))
      const violations: Violation[] = []
      const steps = await plan(path, shouldPrune, violations)
      // The file is invalid: it has a host of a brand that it does not declare, an unknown brand, or
      // a name that two brands have.
      if (violations.length > 0) return
      const { failed } = await runPlan(steps, session, async () => {})
      expect(failed).toBeNull()
      applied += steps.length
      expect((await plan(path, shouldPrune, violations)).map(stepText)).toEqual([])
      expect(violations).toEqual([])
    }),
    { numRuns: runCount },
  )
  expect(applied).toBeGreaterThan(runCount)
}, 600_000)
