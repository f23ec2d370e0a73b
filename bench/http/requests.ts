/**
 * A complete HTTP request as text. `{n}` is replaced with a number that is unique in the run. The
 * load over plain sockets also replaces `{number}`, with a number of the same length, so that it
 * can be part of a body.
 */
export type RequestText = string

export const tasksPath = '/api/v2/model-center/tasks'

const bodyCount = 2_000
const scenes = [
  'a cat walks on a beach at sunset, cinematic, slow pan',
  'drone shot over a misty forest, golden hour, film grain',
  'macro of rain on a leaf',
]

interface SubmitOptions {
  model?: 'vidDq3-turbo' | 'imgA-5.0'
  withIdempotencyKey?: boolean
}

/** Submits with different bodies, distributed over the keys. */
export function submits(
  keys: readonly string[],
  { model = 'vidDq3-turbo', withIdempotencyKey }: SubmitOptions = {},
): RequestText[] {
  return Array.from({ length: bodyCount }, (_, index) => {
    const body = JSON.stringify({
      model,
      prompt: promptOf(index),
      aspect_ratio: '16:9',
      ...(model === 'vidDq3-turbo' && { seconds: 4 + (index % 8) }),
      seed: index * 7919,
    })
    const extraHeaders = withIdempotencyKey ? [`Idempotency-Key: order-${Date.now()}-{n}`] : []
    return postOf(tasksPath, keys[(index * 37) % keys.length], body, extraHeaders)
  })
}

/**
 * Video creations over the OpenAI-compatible API, with the same values as `submits`. OpenAI's
 * clients count retries in every request.
 */
export function videoCreates(keys: readonly string[], { countsRetries }: { countsRetries: boolean }): RequestText[] {
  return Array.from({ length: bodyCount }, (_, index) => {
    const body = JSON.stringify({
      model: 'vidDq3-turbo',
      prompt: promptOf(index),
      size: '1280x720',
      seconds: String(4 + (index % 8)),
      seed: index * 7919,
    })
    return postOf('/api/v1/videos', keys[(index * 37) % keys.length], body, countsRetries ? ['X-Stainless-Retry-Count: 0'] : [])
  })
}

function promptOf(index: number): string {
  return `${scenes[index % scenes.length]}, take ${index}, highly detailed, natural light, shallow depth of field, 35 mm`
}

export function postOf(path: string, key: string | undefined, body: string, extraHeaders: readonly string[] = []): RequestText {
  const headers = [...headersFor(key), 'Content-Type: application/json', `Content-Length: ${body.length}`, ...extraHeaders]
  return `POST ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}

export function polls(key: string, taskIds: readonly string[], query = ''): RequestText[] {
  return taskIds.map((id) => getOf(`${tasksPath}/${id}${query}`, key))
}

export function getOf(path: string, key: string, extraHeaders: readonly string[] = []): RequestText {
  return `GET ${path} HTTP/1.1\r\n${[...headersFor(key), ...extraHeaders].join('\r\n')}\r\n\r\n`
}

function headersFor(key: string | undefined): string[] {
  return ['Host: 127.0.0.1', `Authorization: Bearer ${key}`]
}
