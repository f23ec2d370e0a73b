// Calls every tool as an agent does. `client` is an official MCP client of either generation.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'

export async function callEveryTool(client, call) {
  const { tools } = await client.listTools()
  assert.equal(tools.length, 10)
  const structured = async (name, args = {}) => (await call(name, args)).structuredContent

  const models = await structured('list_models', { kind: 'image' })
  assert.ok(models.items.some(({ id }) => id === 'imgA-5.0'))
  assert.equal((await structured('get_model', { model: 'imgA-5.0' })).parameters.type, 'object')
  assert.equal((await structured('quote', { model: 'imgA-5.0', prompt: 'a boat' })).available, true)
  const pixel = 'data:image/png;base64,' + process.env.FRAMEGATE_IMAGE_BASE64
  const asset = await structured('upload_asset', { url: pixel, name: 'frame.png' })
  assert.equal(asset.content_type, 'image/png')

  const progress = []
  const generated = await call(
    'generate_image',
    // The prompt is unique. Without it, this call could return the task of an earlier call with the
    // same arguments, if the client of that call had closed its connection at once.
    {
      model: 'imgA-5.0',
      prompt: `a boat ${randomUUID()}`,
      parameters: { reference_images: [`asset:${asset.id}`] },
      wait_seconds: 50,
    },
    (report) => progress.push(report),
  )
  assert.deepEqual(
    generated.content.map(({ type }) => type),
    ['text', 'resource_link', 'image'],
  )
  assert.match(progress[0].message, /task_/)
  const image = await fetch(generated.structuredContent.result_url)
  assert.equal(image.headers.get('content-type'), 'image/png')

  const key = { idempotency_key: randomUUID() }
  // The task stays queued until it is cancelled.
  const queued = { simulate: { queued_seconds: 60 } }
  const video = { model: 'vidC2Stable', prompt: 'a train', parameters: queued, wait_seconds: 0, ...key }
  const { id } = await structured('generate_video', video)
  assert.equal((await structured('generate_video', video)).id, id)
  assert.equal((await structured('get_task', { id })).id, id)
  assert.equal((await structured('list_tasks', { kind: 'video', limit: 1 })).items[0].id, id)
  assert.equal((await structured('cancel_task', { id })).error_code, 'cancelled')
  assert.ok((await structured('get_balance')).balance > 0)
  const wrong = await call('generate_image', { model: 'imgA-5.0', promt: 'a boat' })
  assert.equal(wrong.isError, true)
  assert.match(wrong.content[0].text, /did you mean 'prompt'/)
}

export const url = new URL(`${process.env.FRAMEGATE_URL}/mcp`)
export const requestInit = { headers: { Authorization: `Bearer ${process.env.FRAMEGATE_API_KEY}` } }
