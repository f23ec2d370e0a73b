import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../lib/app-error.ts'
import { createDialRules, isForbiddenWithoutLookup } from '../lib/guarded-fetch/dial-rules.ts'
import { createCatalogue } from './catalogue.ts'
import { defaultFamilies } from './default-families.ts'
import { parseParameters } from './parse-parameters.ts'

const catalogue = createCatalogue(defaultFamilies)
const isAllowedHost = (host: string) => !isForbiddenWithoutLookup(host, null, createDialRules([]))
const image = 'https://example.com/picture.png'
const images = (count: number) => Array.from({ length: count }, () => image)

function parse(id: string, parameters: object) {
  return parseParameters(catalogue.find(id)!, { model: id, prompt: 'a cat', ...parameters }, isAllowedHost)
}

function refusalOf(action: () => unknown): AppError {
  try {
    action()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('published limits of built-in models', () => {
  it.each<[string, string, unknown[]]>([
    ['vidC2Stable', 'seconds', [10, 15]],
    ['vendorVidC2', 'seconds', [4, 8, 12]],
    ['vendorVidC2Stable', 'seconds', [4, 8, 12]],
    ['vendorVidC2Plus', 'seconds', [4, 8, 12]],
    ['vidB_1_5_pro_720p', 'seconds', [5, 6, 7, 8, 9, 10]],
    ['vidB_1_5_pro_1080p', 'seconds', [5, 10]],
    ['vidB_1_5_pro_720p', 'resolution', ['720p']],
    ['vidB_1_5_pro_1080p', 'resolution', ['1080p']],
    ['vidDq3-pro', 'seconds', [1, 16]],
    ['vidDq3-turbo', 'seconds', [1, 16]],
    ['vidDq3-pro', 'resolution', ['540p', '720p', '1080p']],
    ['vidDq3-turbo', 'resolution', ['540p', '720p', '1080p']],
    ['vidG_video3', 'seconds', [6, 30]],
    ['vidG_video3', 'resolution', ['480p', '720p']],
    ['vidG_video3', 'reference_images', [[], images(7)]],
    ['vidG_video3_pro', 'seconds', [10]],
    ['imgA_5.0Pro', 'reference_images', [[], images(1), images(10)]],
    ['imgA_5.0Pro', 'resolution', ['1K', '2K']],
    ['imgA_5.0Pro', 'prompt', ['a']],
    ['veo-3.1', 'seconds', [4, 6, 8]],
    ['vidM-H3-2K-c1', 'resolution', ['2K']],
    ['videos_30_10_10_c3', 'seconds', [30]],
    ['imgA-5.0', 'prompt', ['🐈'.repeat(5_000)]],
    ['imgA-5.0', 'seed', [0, 4_294_967_295]],
  ])('the model %s accepts %s with each of the values %j', (id, name, values) => {
    for (const value of values) expect(parse(id, { [name]: value })).toMatchObject({ [name]: value })
  })

  it.each<[string, object, string, string]>([
    ['vidC2Stable', { seconds: 9 }, '/seconds', 'seconds must be 10 or 15; got 9'],
    ['vidC2Stable', { seconds: 11 }, '/seconds', 'seconds must be 10 or 15; got 11'],
    ['vidC2Stable', { seconds: 4 }, '/seconds', 'seconds must be 10 or 15; got 4'],
    ['vendorVidC2', { seconds: 3 }, '/seconds', 'seconds must be 4, 8 or 12; got 3'],
    ['vendorVidC2', { seconds: 5 }, '/seconds', 'seconds must be 4, 8 or 12; got 5'],
    ['vendorVidC2Stable', { seconds: 9 }, '/seconds', 'seconds must be 4, 8 or 12; got 9'],
    ['vendorVidC2Plus', { seconds: 13 }, '/seconds', 'seconds must be 4, 8 or 12; got 13'],
    ['vendorVidC2', { seconds: '8' }, '/seconds', 'seconds must be 4, 8 or 12; got "8"'],
    ['vidB_1_5_pro_720p', { seconds: 4 }, '/seconds', 'seconds must be a whole number from 5 to 10; got 4'],
    ['vidB_1_5_pro_1080p', { seconds: 11 }, '/seconds', 'seconds must be a whole number from 5 to 10; got 11'],
    [
      'vidB_1_5_pro_720p',
      { resolution: '1080p' },
      '/resolution',
      'resolution must be 720p, the only value for this model; got "1080p"',
    ],
    ['vidDq3-pro', { seconds: 0 }, '/seconds', 'seconds must be a whole number from 1 to 16; got 0'],
    ['vidDq3-turbo', { seconds: 17 }, '/seconds', 'seconds must be a whole number from 1 to 16; got 17'],
    ['vidDq3-pro', { seconds: 1.5 }, '/seconds', 'seconds must be a whole number from 1 to 16; got 1.5'],
    ['vidDq3-pro', { resolution: '480p' }, '/resolution', 'resolution must be 540p, 720p or 1080p; got "480p"'],
    ['vidG_video3', { seconds: 5 }, '/seconds', 'seconds must be a whole number from 6 to 30; got 5'],
    ['vidG_video3', { seconds: 31 }, '/seconds', 'seconds must be a whole number from 6 to 30; got 31'],
    ['vidG_video3', { resolution: '1080p' }, '/resolution', 'resolution must be 480p or 720p; got "1080p"'],
    [
      'vidG_video3',
      { reference_images: images(8) },
      '/reference_images',
      'reference_images must be a list of 0 to 7 image references; got a list of 8',
    ],
    ['vidG_video3_pro', { seconds: 9 }, '/seconds', 'seconds must be 10, the only value for this model; got 9'],
    [
      'vidG_video3_pro',
      { resolution: '720p' },
      '/resolution',
      'resolution cannot be specified for vidG_video3_pro: its resolution is always 720p',
    ],
    [
      'imgA_5.0Pro',
      { reference_images: images(11) },
      '/reference_images',
      'reference_images must be a list of 0 to 10 image references; got a list of 11',
    ],
    ['imgA_5.0Pro', { prompt: '' }, '/prompt', 'prompt must be a text of 1 to 5,000 characters; got ""'],
    [
      'imgA_5.0Pro',
      { prompt: undefined },
      '/prompt',
      'prompt is required for imgA_5.0Pro: it must be a text of 1 to 5,000 characters',
    ],
    ['imgA_5.0Pro', { resolution: '4K' }, '/resolution', 'resolution must be 1K or 2K; got "4K"'],
    [
      'imgA_5.0Pro',
      { aspect_ratio: '5:4' },
      '/aspect_ratio',
      'aspect_ratio must be 1:1, 3:4, 4:3, 16:9, 9:16, 3:2, 2:3 or 21:9; got "5:4"',
    ],
    ['imgA_5.0Pro', { watermark: 'yes' }, '/watermark', 'watermark must be true or false; got "yes"'],
    [
      'imgA-5.0',
      { prompt: '🐈'.repeat(5_001) },
      '/prompt',
      'prompt must be a text of 1 to 5,000 characters; got 5,001 characters',
    ],
    ['imgA-5.0', { seed: 4_294_967_296 }, '/seed', 'seed must be a whole number from 0 to 4294967295; got 4294967296'],
    ['imgA-5.0', { seed: null }, '/seed', 'seed must be a whole number from 0 to 4294967295; got null'],
    ['veo-3.1', { last_frame: image }, '/first_frame', 'first_frame is required if last_frame is given'],
    [
      'vidH 1.1 v2 Image To Video',
      {},
      '/first_frame',
      'first_frame is required for vidH 1.1 v2 Image To Video: it must be an http',
    ],
    [
      'vidH 1.1 v2 Text To Video',
      { first_frame: image },
      '/first_frame',
      'first_frame cannot be specified for vidH 1.1 v2 Text To Video; it takes prompt',
    ],
    [
      'vidW3.0-prime-r2v-c1',
      {},
      '/reference_images',
      'reference_images is required for vidW3.0-prime-r2v-c1: it must be a list of 1 to 9',
    ],
    [
      'vidW3.0-prime-r2v-c1',
      { reference_images: [] },
      '/reference_images',
      'reference_images must be a list of 1 to 9 image references; got a list of 0',
    ],
  ])('the model %s refuses %j', (id, parameters, pointer, message) => {
    const error = refusalOf(() => parse(id, parameters))
    expect(error.errors).toHaveLength(1)
    expect(error.errors?.[0]?.pointer).toBe(pointer)
    expect(error.message).toContain(message)
    expect(error.param).toBe(pointer.slice(1))
    expect(error.code).toBe(message.includes('cannot be specified') ? 'unknown_parameter' : 'invalid_parameter')
  })
})

describe('unknown parameters', () => {
  it('the error for an unknown parameter suggests the nearest name', () => {
    const error = refusalOf(() => parse('vendorVidC2', { promt: 'a dog' }))
    expect(error).toMatchObject({
      code: 'unknown_parameter',
      param: 'promt',
      message: "unknown parameter 'promt'; did you mean 'prompt'?",
    })
  })

  it('the error for an unknown parameter lists the parameters of the model when no name is near', () => {
    const error = refusalOf(() => parse('vendorVidC2', { callback: 'x' }))
    expect(error.message).toMatch(/^unknown parameter 'callback'; vendorVidC2 takes prompt, .* and watermark$/)
  })

  it('the pointer of an unknown parameter is escaped, and __proto__ counts as unknown', () => {
    expect(refusalOf(() => parse('veo-3.1', { 'a/b~c': 1 }))).toMatchObject({ param: 'a/b~c', errors: [{ pointer: '/a~1b~0c' }] })
    const body: unknown = JSON.parse('{"model": "veo-3.1", "prompt": "x", "__proto__": {"seconds": 4}}')
    const error = refusalOf(() => parseParameters(catalogue.find('veo-3.1')!, body, isAllowedHost))
    expect(error).toMatchObject({ code: 'unknown_parameter', param: '__proto__' })
  })

  it('unknown and invalid parameters are reported together, the invalid ones first', () => {
    const error = refusalOf(() => parse('vidG_video3', { promt: 1, seconds: 5, reference_images: [image, 3] }))
    expect(error).toMatchObject({ code: 'invalid_parameter' })
    expect(error.message).toContain('(and 2 more, listed in errors)')
    expect(error.errors?.map(({ pointer }) => pointer).toSorted()).toEqual(['/promt', '/reference_images/1', '/seconds'])
    expect(error.errors?.at(-1)).toMatchObject({ pointer: '/promt', code: 'unknown_parameter' })
  })

  it('the number of reported errors is bounded for a body with very many unknown fields or list items', () => {
    const list = Array.from({ length: 500_000 }, () => 1)
    expect(refusalOf(() => parse('vidG_video3', { reference_images: list })).errors).toHaveLength(100)
    const fields = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x${index}`, index]))
    expect(refusalOf(() => parse('vidG_video3', fields)).message).toBe('a request body may have at most 101 fields; got 102')
    delete fields['x0']
    expect(refusalOf(() => parse('vidG_video3', fields)).errors).toHaveLength(99)
  })
})

const hint = (id: string, name: string): string => refusalOf(() => parse(id, { [name]: 5 })).message

describe('parameters of other services', () => {
  it.each([
    ['vidC2Stable', 'duration', "'seconds'"],
    ['vidC2Stable', 'durationSeconds', "'seconds'"],
    ['vidC2Stable', 'duraton', "'seconds'"],
    ['vidC2Stable', 'num_frames', "'seconds'"],
    ['imgA-5.0', 'size', "'aspect_ratio' or 'resolution'"],
    ['vidG_video3_pro', 'size', "'aspect_ratio'"],
    ['imgA-5.0', 'ratio', "'aspect_ratio'"],
    ['imgA-5.0', 'aspectRatio', "'aspect_ratio'"],
    ['vidDq3-turbo', 'image_url', "'first_frame'"],
    ['vidDq3-turbo', 'imageUrl', "'first_frame'"],
    ['imgA-5.0', 'image_url', "'reference_images'"],
    ['imgA-5.0', 'image_urls', "'reference_images'"],
    ['vidDq3-turbo', 'tail_image_url', "'last_frame'"],
    ['veo-3.1', 'negativePrompt', "'negative_prompt'"],
    ['veo-3.1', 'generate_audio', "'audio'"],
    ['veo-3.1', 'generateAudio', "'audio'"],
    ['imgA-5.0', 'random_seed', "'seed'"],
  ])('the error of %s for the parameter %s of another service suggests %s', (id, name, meant) => {
    expect(hint(id, name)).toBe(`unknown parameter '${name}'; did you mean ${meant}?`)
  })

  it('the hint for a parameter of another service names only parameters of the model', () => {
    for (const model of catalogue.models) {
      const acceptedNames = Object.keys(model.parameters.properties)
      for (const name of [
        'duration',
        'size',
        'image_url',
        'negativePrompt',
        'ratio',
        'generate_audio',
        'image_tail',
        'quality',
      ]) {
        const [, meant = ''] = /did you mean (.*)\?$/.exec(hint(model.id, name)) ?? []
        for (const [, suggested = ''] of meant.matchAll(/'([^']+)'/g))
          expect(acceptedNames, `${model.id}, ${name}`).toContain(suggested)
      }
    }
  })

  it('the error for a parameter that sets the number of results says that a task produces one result', () => {
    for (const name of ['n', 'num_images', 'numImages', 'sampleCount']) {
      expect(hint('imgA-5.0', name)).toBe(`unknown parameter '${name}'; a task produces one image, so submit one task per image`)
    }
    expect(hint('vidC2Stable', 'n')).toContain('a task produces one video')
  })

  it('hints for 16 names of a million characters take less than a second of CPU time', () => {
    const names = Array.from({ length: 16 }, (_, index) => String(index).padEnd(1_000_000, 'duration'))
    const cpuBefore = process.threadCpuUsage()
    refusalOf(() => parse('veo-3.1', Object.fromEntries(names.map((name) => [name, 1]))))
    const { user, system } = process.threadCpuUsage(cpuBefore)
    expect((user + system) / 1000).toBeLessThan(1_000)
  })
})

describe('image references', () => {
  const png = 'data:image/png;base64,iVBORw0KGgo='
  const webpStart = Buffer.from('RIFF    WEBPVP8 ').toString('base64')
  const refuse = (reference: unknown, id = 'imgA-5.0') => refusalOf(() => parse(id, { reference_images: [image, reference] }))

  const asset = 'asset:asset_019bc186de0070009a4d2e6f8b0c3d52'

  it.each([
    image,
    asset,
    'http://example.com:8080/a?b=c#d',
    'https://93.184.216.34/a',
    png,
    `data:image/webp;base64,${webpStart}`,
  ])('an image reference may be %s', (reference) => {
    expect(parse('imgA-5.0', { reference_images: [reference] })).toMatchObject({ reference_images: [reference] })
    expect(parse('veo-3.1', { first_frame: reference, last_frame: reference })).toMatchObject({ first_frame: reference })
  })

  it.each([
    'http://127.0.0.1/a',
    'http://2130706433/a',
    'http://0x7f.1/a',
    'http://[::1]/a',
    'http://[::ffff:10.0.0.1]/a',
    'http://10.0.0.1/a',
    'http://192.168.1.1/a',
    'http://169.254.169.254/latest/meta-data',
    'http://localhost/a',
    'http://metadata.google.internal/a',
  ])('an image reference to the private address %s is rejected as unreachable', (reference) => {
    const error = refuse(reference)
    expect(error).toMatchObject({
      code: 'reference_unreachable',
      param: 'reference_images',
      errors: [{ pointer: '/reference_images/1' }],
    })
    expect(error.message).toContain('reference_images[1] must be on a public address')
  })

  it.each([
    ['ftp://example.com/a', 'http:// or https://'],
    ['example.com/a', 'http:// or https://'],
    ['', 'http:// or https://'],
    ['https://example.com/a b', 'no spaces'],
    ['https://', 'URL that starts with http'],
    ['https://user:word@example.com/a', 'without a user name or password'],
    [`https://example.com/${'a'.repeat(2_048)}`, 'at most 2,048 characters'],
    ['asset:123', 'must be asset: followed by the id of an asset'],
    [`asset:asset_${'0'.repeat(32)}`, 'must be asset: followed by the id of an asset'],
    [`${asset}0`, 'must be asset: followed by the id of an asset'],
    [asset.toUpperCase(), 'must be asset: followed by the id of an asset'],
    ['data:image/tiff;base64,AAAA', 'data:image/png;base64,'],
    ['data:image/png,AAAA', 'to be a data URI'],
    ['data:image/png;base64,AAA', 'padded base64'],
    ['data:image/png;base64,', 'padded base64'],
    ['data:image/png;base64,AA-_', 'padded base64'],
    ['data:image/png;base64,A===', 'padded base64'],
    ['data:image/png;base64,AAAA', 'its data URI contains a file of unknown type'],
    [`data:image/jpeg;base64,${Buffer.from('hello world').toString('base64')}`, 'its data URI contains a file of unknown type'],
    [`data:image/png;base64,${Buffer.from('<svg xmlns="x"/>').toString('base64')}`, 'its data URI contains an SVG image'],
    [`data:image/png;base64,${Buffer.from('<!doctype html>').toString('base64')}`, 'its data URI contains a web page'],
    [7, 'an http or https URL'],
    [{ url: image }, 'got an object'],
    [null, 'got null'],
  ])('the image reference %j is rejected', (reference, message) => {
    const error = refuse(reference)
    expect(error).toMatchObject({
      code: 'invalid_parameter',
      param: 'reference_images',
      errors: [{ pointer: '/reference_images/1' }],
    })
    expect(error.message).toContain(message)
  })

  it('an image URL of 2,048 characters is accepted, and one of 2,049 is rejected', () => {
    const longest = `https://example.com/${'a'.repeat(2_048 - 'https://example.com/'.length)}`
    expect(parse('imgA-5.0', { reference_images: [longest] })).toBeDefined()
    expect(refuse(`${longest}a`).message).toContain('at most 2,048 characters; got 2,049')
  })

  it('an asset is accepted in every image parameter of every model', () => {
    let imageParameterCount = 0
    for (const model of catalogue.models) {
      const { first_frame, last_frame, reference_images, image } = model.parameters.properties
      const images = {
        ...(image && { image: asset }),
        ...(first_frame && { first_frame: asset }),
        ...(last_frame && { last_frame: asset }),
        ...(reference_images && { reference_images: [asset] }),
      }
      const parsed = parseParameters(model, { ...model.examples[0], ...images }, isAllowedHost)
      expect(parsed).toMatchObject(images)
      imageParameterCount += Object.keys(images).length
    }
    expect(imageParameterCount).toBeGreaterThan(40)
  })

  it('imgA_5.0Pro takes no data URIs as image references', () => {
    expect(refuse(png, 'imgA_5.0Pro').message).toContain('this model does not accept data URIs')
  })

  it('the data URIs of a request share one size limit', () => {
    const half = `data:image/gif;base64,R0lGODlh${'A'.repeat(8 * 1024 * 1024)}`
    expect(parse('veo-3.1', { first_frame: half })).toBeDefined()
    expect(refusalOf(() => parse('veo-3.1', { first_frame: half, last_frame: half }))).toMatchObject({ param: 'last_frame' })
  })
})

describe('parsing of parameters', () => {
  it('parsing fills in the defaults and does not change the body', () => {
    const body = Object.freeze({ model: 'vidC2Stable', prompt: 'a cat' })
    expect(parseParameters(catalogue.find('vidC2Stable')!, body, isAllowedHost)).toEqual({
      prompt: 'a cat',
      aspect_ratio: '16:9',
      resolution: '720p',
      seconds: 10,
      watermark: false,
    })
  })

  it.each([null, [], 'text', 3, undefined])('a body that is %j is rejected', (body) => {
    expect(refusalOf(() => parseParameters(catalogue.find('veo-3.1')!, body, isAllowedHost)).message).toContain(
      'must be a JSON object',
    )
  })

  it('a body nested deeper than the call stack is rejected as invalid_parameter', () => {
    const nestedBody: unknown = JSON.parse(`{"prompt": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`)
    expect(refusalOf(() => parseParameters(catalogue.find('veo-3.1')!, nestedBody, isAllowedHost)).code).toBe('invalid_parameter')
  })

  const names = fc.constantFrom(
    'prompt',
    'seconds',
    'reference_images',
    'first_frame',
    'last_frame',
    'seed',
    'audio',
    'resolution',
    'aspect_ratio',
  )
  const values = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('a', 4, 8, 10, true, '16:9', '720p', image, [image], 'data:image/png;base64,AAAA'),
  )
  const bodies = fc.oneof(fc.jsonValue(), fc.dictionary(fc.oneof({ weight: 9, arbitrary: names }, fc.string()), values))

  it('parsing either adds only defaults or throws an AppError whose violations have a pointer and a message', () => {
    fc.assert(
      fc.property(fc.constantFrom(...catalogue.models), bodies, (model, body) => {
        const bodyBefore = structuredClone(body)
        try {
          const parsed = parseParameters(model, body, isAllowedHost)
          const { model: _model, ...parameters } = body as Record<string, unknown>
          expect(parsed).toMatchObject(parameters)
          const properties = model.parameters.properties as Record<string, { default?: unknown }>
          for (const [name, value] of Object.entries(parsed)) {
            if (!(name in parameters)) expect(value).toBe(properties[name]?.default)
          }
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          for (const { pointer, message } of error.errors ?? []) {
            expect(pointer).toMatch(/^\//)
            expect(message).not.toBe('')
          }
        }
        expect(body).toEqual(bodyBefore)
      }),
      { numRuns: 3_000 },
    )
  })
})
