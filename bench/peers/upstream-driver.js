import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Agent, request } from 'undici'

/** Calls from a BullMQ worker to the fast upstream, as simple as possible. */
export function createUpstreamDriver(port) {
  const dispatcher = new Agent({ connections: 256, pipelining: 1 })
  const baseUrl = `http://127.0.0.1:${port}/v1`
  const headers = { authorization: 'Bearer k', 'content-type': 'application/json' }
  const call = async (path, options) => (await request(baseUrl + path, { dispatcher, headers, ...options })).body
  const post = async (path, fields) => (await call(path, { method: 'POST', body: JSON.stringify(fields) })).json()
  return {
    async start({ prompt, model }) {
      if (!model.startsWith('img')) return post('/videos', { model: 'm', prompt, seconds: '5', size: '1280x720' })
      const { data } = await post('/images/generations', { model: 'i', prompt })
      return { bytes: Buffer.from(data[0].b64_json, 'base64') }
    },
    async poll(_attempt, { id, bytes }) {
      const { status } = bytes === undefined ? await (await call(`/videos/${id}`)).json() : { status: 'completed' }
      return { state: status === 'completed' ? 'succeeded' : 'running' }
    },
    fetchOutput: async (_attempt, { id, bytes }) => Readable.from([bytes ?? (await buffer(await call(`/videos/${id}/content`)))]),
  }
}
