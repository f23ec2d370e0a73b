// Opens a receiver of webhooks on loopback, calls `happen`, which must cause an event, and returns
// that event in this format.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

export async function receiveWebhook(format, happen) {
  const { promise, resolve } = Promise.withResolvers()
  const server = createServer(async (request, response) => {
    resolve({ body: await text(request), headers: request.headers })
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const webhook = await call('POST', '/v2/webhooks', { url: `http://127.0.0.1:${server.address().port}/`, format })
  await happen()
  const received = await promise
  await call('DELETE', `/v2/webhooks/${webhook.id}`)
  server.close()
  return { ...received, secret: webhook.secret }
}

async function call(method, path, body) {
  const headers = { authorization: `Bearer ${process.env.FRAMEGATE_API_KEY}`, 'content-type': 'application/json' }
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
  return (await fetch(process.env.FRAMEGATE_URL + path, init)).json()
}
