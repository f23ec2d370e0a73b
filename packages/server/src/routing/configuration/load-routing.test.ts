import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError } from '../../config/config-error.ts'
import { readRoutingFile } from '../../config/routing-file.ts'
import { upstreamDrivers } from '../../drivers/upstream-drivers.ts'
import type { Routing } from './definitions.ts'
import { loadRouting } from './load-routing.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-routing-'))
  writeFileSync(path.join(folder, 'key'), 'sk-from-a-file\n')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const modelIds = new Set(['vidK O3 Video Generation', 'imgA-5.0'])

function load(text: string, env = {}): Routing {
  const violations: string[] = []
  const file = readRoutingFile(
    text,
    { env, label: 'framegate.yaml', path: path.join(folder, 'framegate.yaml'), baseDir: folder },
    violations,
  )
  if (violations.length > 0) throw new ConfigError(violations)
  return loadRouting(file, { drivers: upstreamDrivers, modelIds, findUnusableReason: () => null })
}

function violationsOf(text: string, env = {}): string[] {
  try {
    load(text, env)
  } catch (error) {
    if (error instanceof ConfigError) return [...error.violations]
    throw error
  }
  return []
}

describe('routing in a configuration file', () => {
  it('the loaded configuration has the values of the file and defaults for the rest', () => {
    const { upstreams, routes } = load(
      `upstreams:
  main: { driver: openai, base_url: "https://gate.example/v1/", api_key: "\${MAIN_KEY}", in_flight_max: 40 }
routes:
  - { model: "vidK O3 Video Generation", upstream: main, upstream_model: kling-v3, priority: 1, weight: 2.5, cost: { per_second: 0.1 },
      parameters: { seconds: duration }, extra: { cfg: 0.5, mode: pro, on: true, code: "007" }, in_flight_max: 3, defer_max: 5, deadline: 600 }
  - { model: "*", upstream: embedded, priority: 100 }`,
      { MAIN_KEY: 'sk-secret' },
    )
    expect(upstreams[0]).toMatchObject({ name: 'main', baseUrl: 'https://gate.example/v1', inFlightMax: 40 })
    expect(upstreams[0]?.credential?.reveal()).toBe('sk-secret')
    expect(JSON.stringify(upstreams)).not.toContain('sk-secret')
    expect(routes).toMatchObject([
      {
        name: 'main',
        model: 'vidK O3 Video Generation',
        target: {
          model: 'kling-v3',
          parameters: { seconds: 'duration' },
          extra: { cfg: 0.5, mode: 'pro', on: true, code: '007' },
        },
        priority: 1,
        weight: 2.5,
        inFlightMax: 3,
        deferMaxMs: 5000,
        deadlineMs: 600_000,
        cost: { perSecond: 0.1, perImage: 0, perTask: 0, perUnit: 0 },
      },
      { name: 'embedded', model: '*', upstream: null, priority: 100, weight: 1, deferMaxMs: 30_000, deadlineMs: null },
    ])
  })

  it('the API key of an upstream is read from a file beside the configuration', () => {
    const { upstreams } = load('upstreams: { main: { driver: openai, api_key_file: key } }')
    expect(upstreams[0]?.credential?.reveal()).toBe('sk-from-a-file')
  })

  it('the loaded configuration is empty when the file has no upstreams and routes', () => {
    expect(load('port: 1')).toEqual({ upstreams: [], routes: [] })
    expect(load('upstreams:\nroutes:')).toEqual({ upstreams: [], routes: [] })
  })

  it('all errors in upstreams and routes are reported together, each with its line and without secrets', () => {
    const violations = violationsOf(
      `upstreams:
  main:
    driver: opnai
  other: { driver: openai, api_key: "\${KEY}", base_url: "ftp://x" }
  third: { driver: openai }
  fourth: { driver: openai, api_key: "\${KEY}", in_flight_max: -1 }
routes:
  - { model: "vidK O3 Video Generatio", upstream: fourth, upstream_model: a }
  - { model: "imgA-5.0", upstream: embeded }
  - { model: "imgA-5.0", upstream: embedded, prioritty: 1 }
  - everything
  - model: "imgA-5.0"
    upstream: embedded
    cost: { per_second: much }
    weight: 0`,
      { KEY: 'hush' },
    )
    expect(violations).toEqual([
      expect.stringMatching(/^framegate\.yaml, line 3: upstreams\.main\.driver must be one of .*; did you mean openai\?$/),
      expect.stringMatching(/^framegate\.yaml, line 4: upstreams\.other\.base_url must be an http or https address/),
      'framegate.yaml, line 5: upstreams.third.api_key must be the API key of the provider.',
      'framegate.yaml, line 6: upstreams.fourth.in_flight_max must be a whole number from 1 to 100000.',
      'framegate.yaml, line 8: routes[0].model must be a Model ID, or "*" for every model; there is no model "vidK O3 Video Generatio"; did you mean vidK O3 Video Generation?',
      expect.stringMatching(/^framegate\.yaml, line 9: routes\[1\]\.upstream must be one of .*; did you mean embedded\?$/),
      'framegate.yaml, line 10: routes[2].prioritty is not a field of a route; did you mean priority?',
      'framegate.yaml, line 11: routes[3] must have a model and an upstream.',
      'framegate.yaml, line 15: routes[4].weight must be a number from 0.001 to 1000000.',
      'framegate.yaml, line 14: routes[4].cost.per_second must be a number from 0 to 1000000.',
    ])
    expect(violations.join()).not.toContain('hush')
  })

  it.each([
    ['a variable that is not set', 'upstreams: { main: { driver: openai, api_key: "${NOT_THERE}" } }', 'NOT_THERE} is not set'],
    ['an empty key', 'upstreams: { main: { driver: openai, api_key: "" } }', 'api_key must be the API key'],
    ['a missing key file', 'upstreams: { main: { driver: openai, api_key_file: nowhere } }', 'cannot be read (ENOENT)'],
    [
      'a key of another provider for a Framegate',
      'upstreams: { other: { driver: framegate, base_url: "https://other.example/api", api_key: "short key" } }',
      'api_key must be an API key of that installation',
    ],
    [
      'an entry for the built-in upstream',
      'upstreams: { embedded: { driver: openai, api_key: x } }',
      'always exists and needs no entry',
    ],
    ['a list of upstreams', 'upstreams: [main]', 'upstreams must be a map'],
    ['routes by name', 'routes: { main: x }', 'routes must be a list'],
  ])('a configuration with %s is rejected', (_what, text, messagePart) => {
    expect(violationsOf(text).join()).toContain(messagePart)
  })
})

it('api_key may be any value that another installation accepts as FRAMEGATE_BOOTSTRAP_KEY', () => {
  for (const key of [`fg_live_${'k'.repeat(43)}`, 'a-16-byte-secret', '~'.repeat(200)]) {
    const { upstreams } = load(
      'upstreams: { other: { driver: framegate, base_url: "https://other.example/api", api_key: "${KEY}" } }',
      { KEY: key },
    )
    expect(upstreams[0]?.credential?.reveal()).toBe(key)
  }
})

it('a workflow in the configuration file keeps its YAML types', () => {
  const { routes } = load(`
upstreams: { gpu: { driver: comfyui, base_url: 'http://127.0.0.1:8188' } }
routes:
  - model: imgA-5.0
    upstream: gpu
    workflow: { '6': { class_type: Text, inputs: { text: '', steps: 20, cfg: 0.5, wide: 64, high: 64 } } }
    slots: { prompt: '6.text', width: '6.wide', height: '6.high' }
`)
  expect(routes[0]?.target.workflow).toEqual({
    '6': { class_type: 'Text', inputs: { text: '', steps: 20, cfg: 0.5, wide: 64, high: 64 } },
  })
})

it('a workflow in a file with a byte order mark is read', () => {
  const workflow = { 6: { class_type: 'Text', inputs: { text: '', wide: 64, high: 64 } } }
  writeFileSync(path.join(folder, 'flow.json'), `\ufeff${JSON.stringify(workflow)}`)
  const { routes } = load(`
upstreams: { gpu: { driver: comfyui, base_url: 'http://127.0.0.1:8188' } }
routes:
  - { model: imgA-5.0, upstream: gpu, workflow: flow.json, slots: { prompt: '6.text', width: '6.wide', height: '6.high' } }
`)
  expect(routes[0]?.target.workflow).toEqual(workflow)
})

it('variables of the environment are replaced in the texts inside a route, and other values keep their types', () => {
  const { routes } = load(
    `
upstreams: { main: { driver: openai, api_key: k } }
routes:
  - { model: imgA-5.0, upstream: main, upstream_model: a, extra: { cfg: 0.5, user: '\${TEAM}', tags: ['of \${TEAM}', 7, true] } }
`,
    { TEAM: '12' },
  )
  expect(routes[0]?.target.extra).toEqual({ cfg: 0.5, user: '12', tags: ['of 12', 7, true] })
})

it('the error of a driver names the field of the route', () => {
  const violations = violationsOf(`
upstreams: { fal-main: { driver: fal, api_key: k } }
routes:
  - model: imgA-5.0
    upstream: fal-main
    upstream_model: a
`)
  expect(violations).toEqual([
    'framegate.yaml, line 6: routes[0].upstream_model must be an endpoint such as owner/application/text-to-video.',
  ])
})

describe('duplicate routes', () => {
  const upstreams = `upstreams:
  main: { driver: openai, api_key: k }
  other: { driver: openai, api_key: k }
routes:
`

  it('a duplicate route is refused at its own line, whatever its name, priority, limits and cost', () => {
    const violations = violationsOf(`${upstreams}
  - { model: imgA-5.0, upstream: main, upstream_model: a, parameters: { seed: s, prompt: p } }
  - { model: imgA-5.0, upstream: main, upstream_model: b }
  - { model: imgA-5.0, upstream: main, upstream_model: b, extra: { cfg: 1 } }
  - { name: again, model: imgA-5.0, upstream: main, upstream_model: a, parameters: { prompt: p, seed: s }, priority: 3, in_flight_max: 2 }
  - { model: imgA-5.0, upstream: main, upstream_model: a, parameters: { seed: s, prompt: p }, cost: { per_task: 1 } }`)
    expect(violations).toEqual([
      'framegate.yaml, line 9: routes[3] has the same model, upstream and upstream model as routes[0]; remove one of them.',
      'framegate.yaml, line 10: routes[4] has the same model, upstream and upstream model as routes[0]; remove one of them.',
    ])
  })

  it('a second route of the same model to the embedded driver is refused', () => {
    const violations = violationsOf(`${upstreams}
  - { model: imgA-5.0, upstream: embedded }
  - { model: '*', upstream: embedded }
  - { model: imgA-5.0, upstream: embedded, name: again, priority: 9 }`)
    expect(violations).toEqual([
      'framegate.yaml, line 8: routes[2] has the same model, upstream and upstream model as routes[0]; remove one of them.',
    ])
  })

  it('a route with another model, upstream or target is not a duplicate', () => {
    const { routes } = load(`${upstreams}
  - { model: imgA-5.0, upstream: main, upstream_model: a }
  - { model: imgA-5.0, upstream: other, upstream_model: a }
  - { model: '*', upstream: main, upstream_model: a }
  - { model: '*', upstream: main, upstream_model: a, parameters: { seed: s } }`)
    expect(routes).toHaveLength(4)
  })
})
