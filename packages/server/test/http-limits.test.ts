import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHttpService, type HttpService } from './http-service.ts'

// These tests request quotes at the limits of section 8 of the specification, and just beyond them.

const imageUrls = (count: number) => Array.from({ length: count }, (_, index) => `https://images.example/${index}.png`)

interface Edge {
  model: string
  fields: Record<string, unknown>
  /** The JSON Pointer of the rejected value. Null if the request is accepted. */
  refused: string | null
}

function secondsEdges(model: string, accepted: number[], refused: number[]): Edge[] {
  return [
    ...accepted.map((seconds) => ({ model, fields: { seconds }, refused: null })),
    ...refused.map((seconds) => ({ model, fields: { seconds }, refused: '/seconds' })),
  ]
}

const edges: Edge[] = [
  ...[0, 1, 10].map((count) => ({ model: 'imgA_5.0Pro', fields: { reference_images: imageUrls(count) }, refused: null })),
  { model: 'imgA_5.0Pro', fields: { reference_images: imageUrls(11) }, refused: '/reference_images' },
  { model: 'imgA_5.0Pro', fields: { prompt: '' }, refused: '/prompt' },
  { model: 'imgA_5.0Pro', fields: { prompt: 'x' }, refused: null },
  { model: 'imgA_5.0Pro', fields: { resolution: '4K' }, refused: '/resolution' },
  { model: 'imgA_5.0Pro', fields: { aspect_ratio: '5:4' }, refused: '/aspect_ratio' },
  { model: 'imgA_5.0Pro', fields: { watermark: 'yes' }, refused: '/watermark' },
  { model: 'imgA_5.0Pro', fields: { seed: 1 }, refused: '/seed' },
  ...secondsEdges('vidC2Stable', [10, 15], [4, 9, 11, 14, 16]),
  ...['vendorVidC2', 'vendorVidC2Stable', 'vendorVidC2Plus'].flatMap((model) => secondsEdges(model, [4, 8, 12], [3, 5, 9, 13])),
  ...['vidB_1_5_pro_720p', 'vidB_1_5_pro_1080p'].flatMap((model) => secondsEdges(model, [5, 10], [4, 11, 7.5])),
  { model: 'vidB_1_5_pro_720p', fields: { resolution: '1080p' }, refused: '/resolution' },
  { model: 'vidB_1_5_pro_1080p', fields: { resolution: '1080p' }, refused: null },
  ...['vidDq3-pro', 'vidDq3-turbo'].flatMap((model) => secondsEdges(model, [1, 16], [0, 17, -1])),
  ...['540p', '720p', '1080p'].map((resolution) => ({ model: 'vidDq3-pro', fields: { resolution }, refused: null })),
  ...['480p', '2K', 720].map((resolution) => ({ model: 'vidDq3-turbo', fields: { resolution }, refused: '/resolution' })),
  ...secondsEdges('vidG_video3', [6, 30], [5, 31]),
  ...['480p', '720p'].map((resolution) => ({ model: 'vidG_video3', fields: { resolution }, refused: null })),
  { model: 'vidG_video3', fields: { resolution: '1080p' }, refused: '/resolution' },
  { model: 'vidG_video3', fields: { reference_images: imageUrls(7) }, refused: null },
  { model: 'vidG_video3', fields: { reference_images: imageUrls(8) }, refused: '/reference_images' },
  ...secondsEdges('vidG_video3_pro', [10], [9, 11]),
  { model: 'vidG_video3_pro', fields: {}, refused: null },
  { model: 'vidG_video3_pro', fields: { resolution: '720p' }, refused: '/resolution' },
]

describe('limits of the specification', () => {
  let service: HttpService

  beforeAll(async () => {
    service = await openHttpService()
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
  })

  it.each(edges)(
    'a quote for $model with $fields is rejected because of the field $refused (null: accepted)',
    async ({ model, fields, refused }) => {
      const body = { model, prompt: 'a paper boat', ...fields }
      const quote = await service.request('POST', '/v2/model-center/tasks/quote', { body })
      if (refused === null) {
        expect(quote.status).toBe(200)
        return
      }
      expect(quote.status).toBe(400)
      expect(quote.json.error.errors).toContainEqual(expect.objectContaining({ pointer: refused }))
      expect(quote.json.error.param).toBe(refused.slice(1))
      if (model === 'imgA_5.0Pro') return
      const submit = await service.request('POST', '/v2/model-center/tasks', { body })
      expect(submit.json).toEqual({ error: { ...quote.json.error, request_id: submit.json.error.request_id } })
    },
  )

  it('rejected requests hold no credits', async () => {
    expect((await service.request('GET', '/v2/credits')).json).toMatchObject({ balance: 1000, held: 0 })
  })
})
