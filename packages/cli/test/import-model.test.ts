import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { comfyuiWorkflows } from '../../server/test/import/comfyui-workflows.ts'
import { comfyuiWithNodeTypes, falWithSchemas, openaiWithModels } from '../../server/test/import/schema-providers.ts'
import { comfyuiCredential } from '../../server/test/upstreams/comfyui.protocol.ts'
import { falKey } from '../../server/test/upstreams/fal.protocol.ts'
import { openaiKey } from '../../server/test/upstreams/openai.protocol.ts'
import { Simulator } from '../../server/test/upstreams/simulator.ts'
import type { Outcome } from './run-framegate.ts'
import { startService, type StartedService } from './started-service.ts'

let fal: Simulator
let comfyui: Simulator
let openai: Simulator
let service: StartedService
let folder: string

beforeAll(async () => {
  fal = await Simulator.open(falWithSchemas(new Map()))
  comfyui = await Simulator.open(comfyuiWithNodeTypes)
  openai = await Simulator.open(openaiWithModels)
  service = await startService({ FRAMEGATE_ALLOW_HOSTS: '127.0.0.1' })
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-imports-'))
  mkdirSync(path.join(folder, 'flows'))
  await run(
    [
      'upstreams',
      'set',
      'fal-main',
      '--driver',
      'fal',
      '--upstream-url',
      fal.origin,
      '--schema-url',
      `${fal.origin}/schemas`,
      '--api-key-from-env',
      'KEY',
    ],
    falKey,
  )
  await run(
    ['upstreams', 'set', 'gpu', '--driver', 'comfyui', '--upstream-url', comfyui.origin, '--api-key-from-env', 'KEY'],
    comfyuiCredential,
  )
  await run(
    ['upstreams', 'set', 'studio', '--driver', 'openai', '--upstream-url', `${openai.origin}/v1`, '--api-key-from-env', 'KEY'],
    openaiKey,
  )
})
afterAll(async () => {
  await service.close()
  for (const simulator of [fal, comfyui, openai]) await simulator[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

async function run(args: string[], key = ''): Promise<Outcome> {
  return service.run(args, { KEY: key })
}

const editSource = 'fal:fal-ai/nano-banana-2/edit'

it('a dry run prints the definition, the route, the prices and the fields that could not be mapped, and changes nothing', async () => {
  const dry = await run([
    'models',
    'import',
    editSource,
    '--as',
    'banana',
    '--price',
    'per_image:1K=0.05',
    '--price',
    'per_image:2K=0.1',
    '--price',
    'per_image:*=0.2',
    '--dry-run',
  ])
  expect([dry.exitCode, dry.stderr]).toEqual([0, ''])
  expect(dry.stdout).toContain('upstream_model: fal-ai/nano-banana-2/edit')
  expect(dry.stdout).toMatch(/0\.05 +resolution=1K/)
  expect(dry.stdout).toMatch(/sync_mode +It was left out: results are fetched by their address\./)
  expect((await run(['models', 'export'])).stdout).not.toContain('banana')
})

it('an import without a terminal needs --yes, and then writes the model and tests its route', async () => {
  const unasked = await run(['models', 'import', editSource, '--as', 'banana', '--price', 'per_image=0.05'])
  expect([unasked.exitCode, unasked.stderr]).toEqual([2, expect.stringContaining('--yes')])
  const importRun = await run(['models', 'import', editSource, '--as', 'banana', '--price', 'per_image=0.05', '--yes'])
  expect(importRun.exitCode).toBe(0)
  expect(importRun.stdout).toMatch(/Model banana is saved, with 1 route\.\nTest of the route banana: ok\.\n$/)
  expect((await run(['models', 'show', 'banana'])).stdout).toMatch(/reference_images/)
  const secondRun = await run(['models', 'import', editSource, '--json', '--yes'])
  expect(JSON.parse(secondRun.stdout)).toMatchObject({ saved: false, drift: [], model: { id: 'banana' } })
})

it('a preview of changes of the source names --update only if the option is missing', async () => {
  await run(['models', 'update', 'banana', '--set', 'required=[]'])
  const previewOf = async (...options: string[]) =>
    (await run(['models', 'import', editSource, '--as', 'banana', '--dry-run', ...options])).stdout
  expect(await previewOf()).toMatch(/prompt +narrower +.*\n\nThe model was not changed\. --update applies these changes\.\n$/s)
  expect(await previewOf('--update')).toMatch(/prompt +narrower +[^-]*$/)
})

it('an import of a model that the provider has removed exits with 1, and the model stays unchanged', async () => {
  const source = 'openai:studio:sora-2'
  expect((await run(['models', 'import', source, '--as', 'orphan', '--price', 'per_second=0.1', '--yes'])).exitCode).toBe(0)
  openai.next('probe', { status: 200, json: { object: 'list', data: [] } })
  expect(await run(['models', 'import', source, '--as', 'orphan', '--update', '--yes'])).toEqual({
    exitCode: 1,
    stdout: 'The provider no longer has this model. studio lists no models.\n',
    stderr: 'The model orphan was not changed. If its tasks fail, delete it: framegate models delete "orphan"\n',
  })
  expect((await run(['models', 'show', 'orphan'])).exitCode).toBe(0)
})

it('an import of a workflow file saves a model with the name of the file, and tests its route', async () => {
  const flow = path.join(folder, 'flows/wan.json')
  writeFileSync(flow, JSON.stringify(comfyuiWorkflows['wan-text-to-video']))
  const importRun = await run(['models', 'import', `comfyui:${flow}`, '--price', 'per_second=0.05', '--yes', '--json'])
  expect(JSON.parse(importRun.stdout)).toMatchObject({ saved: true, model: { id: 'wan' }, tests: [{ outcome: 'ok' }] })
})

it('an import from a server without schemas lists the models of the server', async () => {
  const { exitCode, stdout } = await run(['models', 'import', 'openai:studio'])
  expect([exitCode, stdout]).toEqual([0, 'sora-2\ngpt-image-1.5\norg/wan-2.7-t2v\ngpt-5\nmystery\n'])
})

it('framegate models packs lists the packs, and framegate models import imports one of them', async () => {
  const { stdout } = await run(['models', 'packs'])
  expect(stdout.split('\n').length).toBeGreaterThan(40)
  expect(stdout).toMatch(/^flux-2-pro +fal +image +FLUX\.2/m)
  expect((await run(['models', 'import', 'pack:flux-2-pro', '--price', 'per_image=0.05', '--yes'])).exitCode).toBe(0)
})

it.for([
  [['fal:fal-ai/nothing'], 2, /could not be fetched/],
  [['file:/nowhere.json'], 2, /nowhere\.json cannot be read: ENOENT/],
  [['fal:fal-ai/flux-2-pro', '--price', '0.05'], 2, /such as per_second=0\.1/],
  [['fal:fal-ai/flux-2-pro', '--price', 'per_image=1', '--price', 'per_task=1'], 2, /a model has one unit/],
] as const)('the import of %j is rejected with an explanation', async ([args, exitCode, message]) => {
  const refused = await run(['models', 'import', ...args, '--yes'])
  expect(refused.stderr).toMatch(message)
  expect(refused.exitCode).toBe(exitCode)
})
