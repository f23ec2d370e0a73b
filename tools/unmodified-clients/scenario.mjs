// Scenario of an application that uses OpenAI's client for Node.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { receiveWebhook } from './receive-webhook.mjs'

const { default: OpenAI, toFile } = await import(process.env.OPENAI_PACKAGE)
const baseURL = `${process.env.FRAMEGATE_URL}/v1`
const client = new OpenAI({ baseURL, apiKey: process.env.FRAMEGATE_API_KEY })

const models = await client.models.list()
assert.ok(models.data.length > 30)
assert.equal((await client.models.retrieve('vidK O3 Video Generation')).object, 'model')

/** The smallest video, to save CPU time. */
const shortest = { model: 'vidDq3-turbo', seconds: '1', size: '960x540' }
const frame = await toFile(await readFile(process.env.FRAMEGATE_IMAGE), 'frame.png', { type: 'image/png' })
let video = await client.videos.create({ ...shortest, prompt: 'a red fox in the snow', input_reference: frame })
assert.equal(video.seconds, '1')
while (video.status === 'queued' || video.status === 'in_progress') {
  await new Promise((resolve) => setTimeout(resolve, 500))
  video = await client.videos.retrieve(video.id)
}
assert.deepEqual([video.status, video.size], ['completed', '960x540'])
const content = Buffer.from(await (await client.videos.downloadContent(video.id)).arrayBuffer())
assert.equal(content.subarray(4, 8).toString(), 'ftyp')

const thumbnail = await client.videos.downloadContent(video.id, { variant: 'thumbnail' })
assert.equal(thumbnail.headers.get('content-type'), 'image/webp')
await assert.rejects(client.videos.remix(video.id, { prompt: 'at night' }), /no model of this service can/)

const secondVideo = await client.videos.create({ ...shortest, prompt: 'a train' })
const listed = []
for await (const { id } of client.videos.list({ limit: 1 })) listed.push(id)
assert.deepEqual(listed.slice(0, 2), [secondVideo.id, video.id])
assert.equal((await client.videos.delete(secondVideo.id)).deleted, true)
await assert.rejects(client.videos.retrieve(secondVideo.id), OpenAI.NotFoundError)
await assert.rejects(client.videos.create({ ...shortest, prompt: 'x', size: '1x1' }), OpenAI.BadRequestError)

const images = await client.images.generate({ model: 'imgA-5.0', prompt: 'a lake', n: 2 })
assert.deepEqual(images.data.map(isPng), [true, true])
const oldestFirst = await client.videos.list({ order: 'asc', limit: 1 })
assert.equal(oldestFirst.data[0].id, listed.at(-1))
const stream = await client.images.generate({ model: 'imgA-5.0', prompt: 'a lake', stream: true })
const events = []
for await (const event of stream) events.push([event.type, isPng(event)])
assert.deepEqual(events, [['image_generation.completed', true]])
const edited = await client.images.edit({ model: 'imgA-5.0', prompt: 'make it red', image: frame, response_format: 'url' })
assert.equal((await fetch(edited.data[0].url)).headers.get('content-type'), 'image/png')

// The first response is cut. The client's own retry gets the first task.
const videosBefore = await countVideos()
const clientBehindCutter = new OpenAI({ baseURL: `${process.env.FRAMEGATE_CUT_URL}/v1`, apiKey: process.env.FRAMEGATE_API_KEY })
const repeated = await clientBehindCutter.videos.create({ ...shortest, prompt: 'a response that is lost' })
assert.equal(repeated.object, 'video')
assert.equal(await countVideos(), videosBefore + 1)

function isPng({ b64_json }) {
  return Buffer.from(b64_json, 'base64').subarray(1, 4).toString() === 'PNG'
}

async function countVideos() {
  return (await client.videos.list({ limit: 100 })).data.length
}

// A webhook event for a video in the format of OpenAI's API.
const { body, headers, secret } = await receiveWebhook('openai', () => client.videos.create({ ...shortest, prompt: 'a train' }))
const event = await client.webhooks.unwrap(body, headers, secret)
assert.equal(event.type, 'video.completed')
assert.equal((await client.videos.retrieve(event.data.id)).status, 'completed')
await assert.rejects(client.webhooks.unwrap(`${body} `, headers, secret), OpenAI.InvalidWebhookSignatureError)

// Chats: a complete response, streams with and without usage, and rejected requests.
const chat = { model: process.env.FRAMEGATE_CHAT_MODEL, messages: [{ role: 'user', content: 'What color is the boat?' }] }
assert.equal((await client.chat.completions.create(chat)).choices[0].message.content, 'The boat is red.')
let text = ''
for await (const { choices } of await client.chat.completions.create({ ...chat, stream: true }))
  text += choices[0].delta.content ?? ''
assert.equal(text, 'The boat is red.')
const chunks = []
const withUsage = { ...chat, stream: true, stream_options: { include_usage: true } }
for await (const chunk of await client.chat.completions.create(withUsage)) chunks.push(chunk)
assert.equal(chunks.at(-1).usage.completion_tokens, 5)
assert.equal(await client.chat.completions.stream(chat).finalContent(), 'The boat is red.')
await assert.rejects(client.chat.completions.create({ ...chat, n: 99 }), OpenAI.BadRequestError)
await assert.rejects(client.chat.completions.create({ ...chat, model: 'nothing' }), OpenAI.NotFoundError)

const embedding = await client.embeddings.create({ model: process.env.FRAMEGATE_EMBEDDING_MODEL, input: 'a boat' })
assert.equal(embedding.usage.prompt_tokens, 4)
