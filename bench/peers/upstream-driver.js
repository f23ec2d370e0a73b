import { buffer } from 'node:stream/consumers'
import { Agent, request } from 'undici'

/** The calls of a worker to the fast upstream. They do as little as possible. */
export function createUpstreamDriver(port) {
  const dispatcher = new Agent({ connections: 256, pipelining: 1 })
  const url = `http://127.0.0.1:${port}/v1/videos`
  const call = async (address, options) => buffer((await request(address, { dispatcher, ...options })).body)
  const headers = { authorization: 'Bearer k', 'content-type': 'application/json' }
  return {
    async start({ prompt }) {
      const body = JSON.stringify({ model: 'm', prompt, seconds: '5', size: '1280x720' })
      return JSON.parse(await call(url, { method: 'POST', headers, body }))
    },
    async poll(_attempt, { id }) {
      await call(`${url}/${id}`, { headers })
      return { state: 'running' }
    },
  }
}
