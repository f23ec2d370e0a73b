import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHttpService, type HttpService } from '../http-service.ts'
import { plainPng } from '../plain-png.ts'

let service: HttpService
beforeAll(async () => {
  service = await openHttpService()
})
afterAll(() => service[Symbol.asyncDispose]())

const boundary = 'the-boundary'
const partOf = (name: string, text: string, file?: string): string =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"`}\r\n\r\n${text}\r\n`
const form = (...parts: string[]): string => `${parts.join('')}--${boundary}--\r\n`
const videoParts = [partOf('model', 'vidC2Stable'), partOf('prompt', 'A train')]

async function readState(): Promise<unknown> {
  const paths = ['/v2/credits', '/v2/assets', '/v2/model-center/tasks']
  return Promise.all(paths.map(async (path) => (await service.request('GET', path)).json))
}

async function sendRefusedForm(body: string, type = `multipart/form-data; boundary=${boundary}`, path = '/v1/videos') {
  const stateBefore = await readState()
  const { status, json } = await service.request('POST', path, { rawBody: body, headers: { 'content-type': type } })
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
  expect(await readState()).toEqual(stateBefore)
  return json.error as { message: string; param: string | null }
}

it.each([
  ['no boundary', form(...videoParts), 'multipart/form-data', /has no boundary/],
  ['another boundary', form(...videoParts), 'multipart/form-data; boundary=other', /not well-formed, or ends too early/],
  ['no end', videoParts.join(''), undefined, /not well-formed, or ends too early/],
  ['10,000 parts', form(...Array.from({ length: 10_000 }, (_, n) => partOf(`p${n}`, '1'))), undefined, /more than 128 parts/],
  ['a field twice', form(...videoParts, partOf('prompt', 'again')), undefined, /more than one value for 'prompt'/],
  [
    'a field that is sent both as a text and as a list',
    form(...videoParts, partOf('prompt[]', 'again')),
    undefined,
    /more than one value for 'prompt\[\]'/,
  ],
  [
    'a field that is sent both as a text and as an object',
    form(...videoParts, partOf('prompt[a]', 'again')),
    undefined,
    /more than one value for 'prompt\[a\]'/,
  ],
  ['the field name __proto__', form(...videoParts, partOf('__proto__[a]', '1')), undefined, /is not the name of a field/],
  ['a name with many levels', form(...videoParts, partOf('a[b][c][d][e]', '1')), undefined, /is not the name of a field/],
  [
    'U+0000 in a text',
    form(partOf('model', 'vidDq3-turbo'), partOf('prompt', 'a\0b')),
    undefined,
    /^prompt must not contain the character U\+0000/,
  ],
  [
    'U+0000 in a name',
    form(...videoParts, partOf('a\0b', '1')),
    undefined,
    /^A name of a field must not contain the character U\+0000/,
  ],
  ['an unbalanced name', form(...videoParts, partOf('a[b', '1')), undefined, /is not the name of a field/],
  [
    '2 MiB of text',
    form(...videoParts, partOf('negative_prompt', 'x'.repeat(2 * 1024 * 1024))),
    undefined,
    /text fields of the form are too large/,
  ],
  [
    'a file that is no image',
    form(...videoParts, partOf('input_reference', 'no image', 'a.png')),
    undefined,
    /input_reference: this is/,
  ],
  [
    '17 files',
    form(...videoParts, ...Array.from({ length: 17 }, () => partOf('images[]', 'x', 'a.png'))),
    undefined,
    /more than 16 files/,
  ],
  ['an unknown field', form(...videoParts, partOf('colour', 'red')), undefined, /unknown parameter 'colour'/],
  ['a part without a name', `--${boundary}\r\n\r\nx\r\n--${boundary}--\r\n`, undefined, /part without a name/],
])('a form with %s is refused with the reason, and changes nothing', async (_what, body, type, message) => {
  expect((await sendRefusedForm(body, type)).message).toMatch(message)
})

it('the file of a rejected form leaves no asset', async () => {
  const image = plainPng(16, 16)
  const body = Buffer.concat([
    Buffer.from(videoParts.join('')),
    Buffer.from(partOf('size', '1x1')),
    Buffer.from(partOf('input_reference', '', 'a.png').slice(0, -2)),
    image,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  const stateBefore = await readState()
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  const { json } = await service.request('POST', '/v1/videos', { rawBody: body, headers })
  expect(json.error).toMatchObject({ param: 'size', message: expect.stringContaining('1280x720') })
  expect(await readState()).toEqual(stateBefore)
})

it.each([
  ['/v1/videos', { prompt: 'x' }, 'model', /model must be a Model ID, but it is missing/],
  ['/v1/videos', { model: 'vidC2Stable', prompt: 'x', seconds: 'ten' }, 'seconds', /seconds must be/],
  ['/v1/videos', { model: 'vidC2Stable', prompt: 'x', size: 7 }, 'size', /size must be a text/],
  [
    '/v1/videos',
    { model: 'vidC2Stable', prompt: 'x', size: '1280x720', resolution: '720p' },
    'size',
    /already determines resolution/,
  ],
  ['/v1/videos', { model: 'vidC2Stable', prompt: 'x', input_reference: { image_url: 7 } }, 'input_reference', /must be a file/],
  ['/v1/images/generations', { model: 'imgA-5.0', prompt: 'x', n: 11 }, 'n', /from 1 to 10/],
  ['/v1/images/generations', { model: 'imgA-5.0', prompt: 'x', n: 1.5 }, 'n', /from 1 to 10/],
  ['/v1/images/generations', { model: 'imgA-5.0', prompt: 'x', stream: 'maybe' }, 'stream', /true or false/],
  ['/v1/images/generations', { model: 'imgA-5.0', prompt: 'x', response_format: 'jpeg' }, 'response_format', /url or b64_json/],
  ['/v1/images/generations', { model: 'imgA-5.0', prompt: 'x', quality: 'hd' }, 'quality', /unknown parameter 'quality'/],
  [
    '/v1/images/generations',
    { model: 'imgA-5.0', prompt: 'x', quality: 'high' },
    'quality',
    /only the default of OpenAI's API is accepted: auto or standard$/,
  ],
  ['/v1/images/generations', { model: 'imgA-5.0', prompt: 'x', output_format: 'webp' }, 'output_format', /accepted: png$/],
  [
    '/v1/images/generations',
    { model: 'vidC2Stable', prompt: 'x' },
    'model',
    /generates videos; send the request to \/v1\/videos/,
  ],
  [
    '/v1/images/edits',
    { model: 'imgA-5.0', prompt: 'x', image: 'no address' },
    'reference_images',
    /reference_images\[0\] must be/,
  ],
  [
    '/v1/images/edits',
    { model: 'imgA-5.0', prompt: 'x' },
    'image',
    /image is required; to generate an image without an input image/,
  ],
  ['/v1/images/edits', { model: 'imgA-5.0', prompt: 'x', reference_images: [] }, 'image', /image is required/],
])('a request to %s with %j is rejected, and the error names the field %s', async (path, body, param, message) => {
  const stateBefore = await readState()
  const { status, json } = await service.request('POST', path, { body })
  expect(status).toBe(400)
  expect(json.error).toMatchObject({ param, message: expect.stringMatching(message) })
  expect(await readState()).toEqual(stateBefore)
})

it('a request for several images is rejected as a whole if the balance covers only some of them, and its tasks are cancelled', async () => {
  const { key } = await service.newAccount(0.1)
  const refused = await service.request('POST', '/v1/images/generations', {
    body: { model: 'imgA-5.0', prompt: 'x', n: 5 },
    key,
  })
  expect([refused.status, refused.json.error.code]).toEqual([402, 'insufficient_credits'])
  expect(refused.json.error.message).toBe('The 5 tasks of this request cost 0.2 credits and the account has 0.1.')
  const { items } = (await service.request('GET', '/v2/model-center/tasks', { key })).json
  expect(items).not.toEqual([])
  for (const { id } of items) {
    const { json } = await service.request('GET', `/v2/model-center/tasks/${id}`, { key })
    expect(json).toMatchObject({ status: 'failed', error_code: 'cancelled' })
  }
  expect((await service.request('GET', '/v2/credits', { key })).json.balance).toBe(0.1)
})

it('max_amount of a request for several images is the maximum price of all of them together', async () => {
  const { key } = await service.newAccount(0.1)
  const body = { model: 'imgA-5.0', prompt: 'x', n: 3 }
  const refused = await service.request('POST', '/v1/images/generations', { key, body: { ...body, max_amount: 0.11 } })
  expect([refused.status, refused.json.error]).toMatchObject([
    402,
    {
      code: 'max_amount_exceeded',
      param: 'max_amount',
      message: 'The 3 tasks of this request cost 0.12 credits, more than the 0.11 that max_amount allows.',
    },
  ])
  expect((await service.request('GET', '/v2/model-center/tasks', { key })).json.items).toEqual([])
  const allowed = await service.request('POST', '/v1/images/generations', { key, body: { ...body, max_amount: 0.12 } })
  expect(allowed.json.error.code).toBe('insufficient_credits')
})

it('the error of a request for several images names the rest of the spending limit before the request', async () => {
  const { key } = await service.newAccount(1, undefined, { spentPerDayMax: 100_000 })
  const body = { model: 'imgA-5.0', prompt: 'x', n: 4 }
  const { status, json } = await service.request('POST', '/v1/images/generations', { key, body })
  expect([status, json.error.code]).toEqual([402, 'spending_limit_reached'])
  expect(json.error.message).toMatch(/^The 4 tasks of this request cost 0\.16 credits, but this API key has only 0\.1 left/)
})

it('the error of a request for more images than an account may have in flight names both numbers', async () => {
  const { accountId, key } = await service.newAccount(1)
  await service.request('PATCH', `/admin/v1/accounts/${accountId}`, { body: { tasks_in_flight_max: 2 } })
  const body = { model: 'imgA-5.0', prompt: 'x', n: 3 }
  const { status, json } = await service.request('POST', '/v1/images/generations', { key, body })
  expect(status).toBe(429)
  expect(json.error.message).toBe(
    'This account may have at most 2 tasks queued or processing at the same time, and this request creates 3.',
  )
})
