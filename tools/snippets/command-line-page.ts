import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Asset, Simulation, Task } from '@framegate/contract'
import sharp from 'sharp'
import { comfyuiWorkflows } from '../../packages/server/test/import/comfyui-workflows.ts'
import { fillWebhooks } from './command-line-webhooks.ts'
import { loseTask } from './lost-task.ts'
import type { Reader } from './reader.ts'

const images = ['bud.png', 'bloom.png', 'dog.jpg', 'robot.png', 'front.png', 'side.png', 'back.png', 'logo.png']

/**
 * Prepares one block of docs/cli.md, and returns it with the ids of the prepared objects. The
 * examples of the page are independent of each other and refer to objects that a reader already
 * has: images, prompts, an asset, a key, a profile, tasks to wait for or to cancel, and a brand, an
 * account and a key to change.
 */
export async function prepareExamples(text: string, reader: Reader): Promise<string> {
  rmSync(path.join(reader.cwd, '.config'), { recursive: true, force: true })
  mkdirSync(path.join(reader.cwd, '.config/fish/completions'), { recursive: true })
  for (const name of images) {
    const [, format = ''] = name.split('.')
    writeFileSync(path.join(reader.cwd, name), await imageOf(format))
  }
  writeFileSync(path.join(reader.cwd, 'prompts.txt'), 'a quiet lake\n')
  writeFileSync(path.join(reader.cwd, 'key.txt'), reader.server.apiKey)
  if (text.includes('framegate apply'))
    writeFileSync(path.join(reader.cwd, 'framegate.yaml'), 'accounts: [{ name: Harbour Lights }]\n')
  if (text.includes('studio') && !text.includes('profiles add')) {
    await reader.shell.run('framegate profiles add studio --url https://studio.example.com --api-key - < key.txt')
  }
  await submit(reader, { queued_seconds: 600 })
  await prepareRouting(text, reader)
  if (text.includes('models import')) await prepareImports(reader)
  if (/models (create|update|delete|export)/.test(text)) await prepareDefinitions(text, reader)

  const names = [...new Set(text.match(/task_0197c0d\w\.\.\./g))]
  let filled = text
  for (const name of names) filled = filled.replaceAll(name, (await taskFor(text, name, reader)).id)
  return fillOperation(await fillAsset(await fillWebhooks(filled, reader), reader), reader)
}

async function taskFor(text: string, name: string, reader: Reader): Promise<Task> {
  if (text.includes('attempts resolve')) return loseTask(reader.server)
  if (new RegExp(`tasks cancel .*${name}`).test(text)) return submit(reader, { outcome: 'stuck' })
  const task = await submit(reader, {})
  await reader.server.request('GET', `/v2/model-center/tasks/${task.id}?wait=60`)
  return task
}

const imagesByFormat = new Map<string, Buffer>()

/** Returns a single-color file in this format, encoded once for all blocks. */
async function imageOf(format: string): Promise<Buffer> {
  const image = sharp({ create: { width: 320, height: 180, channels: 3, background: '#c05030' } })
  const file = imagesByFormat.get(format) ?? (await image.toFormat(format === 'jpg' ? 'jpeg' : 'png').toBuffer())
  imagesByFormat.set(format, file)
  return file
}

/** Replaces asset placeholders with a new asset, which the examples may delete. */
async function fillAsset(text: string, { server }: Reader): Promise<string> {
  if (!text.includes('asset_0197c0de...')) return text
  const image = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#3050c0' } })
    .png()
    .toBuffer()
  const url = `data:image/png;base64,${image.toString('base64')}`
  const { id } = (await (await server.request('POST', '/v2/assets/import', { url })).json()) as Asset
  return text.replaceAll('asset_0197c0de...', id)
}

/**
 * Removes routes that earlier examples have created, because a test must not contact their
 * upstreams. Creates the upstream and the route that an example uses or removes.
 */
async function prepareRouting(text: string, { server, shell }: Reader): Promise<void> {
  const send = (method: string, path: string, body?: object) => server.request(method, `/admin/v1${path}`, body)
  await send('DELETE', '/routes/kling')
  await send('DELETE', '/upstreams/fal-main')
  if (text.includes('FAL_KEY')) await shell.run('export FAL_KEY=key:secret')
  if (!/fal-main --up|(routes|upstreams) remove/.test(text)) return
  await send('PUT', '/upstreams/fal-main', { driver: 'fal', api_key: 'key:secret' })
  const kling = {
    model: 'vidK O3 Video Generation',
    upstream: 'fal-main',
    upstream_model: 'fal-ai/kling-video/o3/pro/text-to-video',
  }
  if (text.includes('routes remove')) await send('PUT', '/routes/kling', kling)
}

/**
 * Writes the files with definitions that the examples read. Defines the model that they change,
 * unless they define it themselves.
 */
async function prepareDefinitions(text: string, { cwd, server }: Reader): Promise<void> {
  const flux = imageModel('flux-2-pro')
  // JSON is valid YAML.
  writeFileSync(path.join(cwd, 'flux.yaml'), JSON.stringify(flux))
  writeFileSync(path.join(cwd, 'models.json'), JSON.stringify([imageModel('poster'), imageModel('card')]))
  for (const id of ['flux-2-pro', 'poster', 'card']) await server.request('DELETE', `/admin/v1/models/${id}`)
  if (!text.includes('models create')) await server.request('POST', '/admin/v1/models', flux)
}

function imageModel(id: string): object {
  return { id, object: 'image', parameters: { prompt: {} }, price: { per_image: 0.05 } }
}

/** Connects the providers that the examples import from, and writes a workflow file. */
async function prepareImports(reader: Reader): Promise<void> {
  writeFileSync(path.join(reader.cwd, 'wan.json'), JSON.stringify(comfyuiWorkflows['wan-text-to-video']))
  for (const upstream of [
    'fal-imports --driver fal --api-key-from-env FAL_KEY',
    'replicate --driver replicate --api-key-from-env REPLICATE_API_TOKEN',
    'gpu --driver comfyui --upstream-url http://127.0.0.1:8188 --api-key-from-env COMFYUI_AUTHORIZATION',
  ]) {
    const variable = upstream.split(' ').at(-1) ?? ''
    await reader.shell.run(await reader.fillIn(`${variable}='${reader.env[variable] ?? ''}' framegate upstreams set ${upstream}`))
  }
}

let accountCount = 0

/**
 * Creates an account, a key and a brand, and puts their ids into the examples for operators. The
 * examples may change or close these objects without an effect on later blocks of the page.
 */
async function fillOperation(text: string, { server }: Reader): Promise<string> {
  if (!/acct_1|brand_|key_0197c0de/.test(text)) return text
  const send = async (method: string, path: string, body?: object): Promise<{ id: string; items: { id: string }[] }> =>
    (await server.request(method, `/admin/v1${path}`, body)).json() as Promise<{ id: string; items: { id: string }[] }>
  const name = `an example ${accountCount++}`
  const account = await send('POST', '/accounts', { name })
  await send('POST', `/accounts/${account.id}/grants`, { amount: 100 })
  const key = await send('POST', `/accounts/${account.id}/keys`, {})
  // Making the default brand the default again changes nothing.
  const brand = text.includes('brands default')
    ? (await send('GET', '/brands')).items[0]
    : await send('POST', '/brands', { name })
  return text
    .replaceAll('acct_1', account.id)
    .replaceAll('key_0197c0de...', key.id)
    .replaceAll(/brand_default|brand_0197c0de\.\.\./g, brand?.id ?? '')
}

async function submit({ server }: Reader, simulate: Simulation): Promise<Task> {
  const body = { model: 'imgA-5.0', prompt: 'a quiet lake', simulate }
  const response = await server.request('POST', '/v2/model-center/tasks', body)
  return (await response.json()) as Task
}
