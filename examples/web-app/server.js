import { readFile } from 'node:fs/promises'
import { Framegate, FramegateError, unwrapWebhook } from '@framegate/sdk'
import fastify from 'fastify'

/**
 * A web app that makes videos. The page posts a prompt, the app submits a task with its own
 * webhook, and the webhook completes the video.
 */
const framegate = new Framegate() // FRAMEGATE_URL and FRAMEGATE_API_KEY
const { secret } = await framegate.webhooks.accountSecret()
const page = await readFile(new URL('./page.html', import.meta.url), 'utf8')

/** The videos of this process by task id. A real app stores them in its database. */
const videos = new Map()
const videosMax = 1000

const app = fastify({ bodyLimit: 1024 * 1024 })
// The signature covers the bytes of the body, so the body is not parsed here.
app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))

app.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(page))

app.get('/videos', () => [...videos.values()].toReversed())

app.post('/videos', async (request, reply) => {
  const { id, prompt } = readVideo(request.body)
  if (id === null) return reply.code(400).send({ error: 'id must be a UUID, and prompt a text of 1 to 500 characters' })
  if (videos.size >= videosMax) return reply.code(503).send({ error: 'this example keeps no more videos' })
  try {
    const task = await framegate.tasks.create(
      { model: 'vidDq3-turbo', prompt, seconds: 1, resolution: '540p', max_amount: 1, webhook_url: `${publicUrl}/webhook` },
      { idempotencyKey: id },
    )
    // The webhook of a quick task may arrive before this response.
    videos.set(task.id, { id: task.id, status: task.status, ...videos.get(task.id), prompt })
    return reply.code(202).send(videos.get(task.id))
  } catch (error) {
    if (!(error instanceof FramegateError)) throw error
    return reply.code(502).send({ error: error.message })
  }
})

app.post('/webhook', async (request, reply) => {
  try {
    const { data: task } = await unwrapWebhook(request.body, request.headers, secret)
    const prompt = videos.get(task.id)?.prompt ?? ''
    videos.set(task.id, { id: task.id, prompt, status: task.status, url: task.result_url, error: task.error })
    return reply.code(204).send()
  } catch (error) {
    if (!(error instanceof FramegateError)) throw error
    return reply.code(401).send({ error: error.message })
  }
})

function readVideo(body) {
  try {
    const { id, prompt } = JSON.parse(body)
    const isValid = /^[\da-f-]{36}$/.test(id) && typeof prompt === 'string' && prompt.length > 0 && prompt.length <= 500
    return isValid ? { id, prompt } : { id: null, prompt: '' }
  } catch {
    return { id: null, prompt: '' }
  }
}

await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' })
const origin = `http://127.0.0.1:${app.server.address().port}`
const publicUrl = process.env.PUBLIC_URL ?? origin
console.log(`The page is at ${origin}`)
