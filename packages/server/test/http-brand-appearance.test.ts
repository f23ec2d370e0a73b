import { hash } from 'node:crypto'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Brand } from '../src/brands/brand.ts'
import { watermarkOf } from '../src/watermark/watermark-design.ts'
import { fetchAtHost } from './fetch-at-host.ts'
import { openHttpService, type HttpService, type TestAccount } from './http-service.ts'

const host = 'studio.example.com'
const tasksPath = '/v2/model-center/tasks'
const image = { model: 'imgA-5.0', prompt: 'a boat on a lake' }

let service: HttpService
let brand: Brand
let account: TestAccount
beforeEach(async () => {
  service = await openHttpService()
  brand = (await service.brands.createBrand({ name: 'Größe & <Söhne>', hosts: [host] })).brand
  account = await service.newAccount(10, undefined, {}, brand)
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
})

const changeBrand = (body: object) => service.request('PATCH', `/admin/v1/brands/${brand.id}`, { body })
const atStudio = (method: string, path: string, body?: unknown, headers = {}) =>
  service.request(method, path, { key: account.key, host, headers, ...(body !== undefined && { body }) })
const dataUri = (file: Uint8Array, type = 'image/png') => `data:${type};base64,${Buffer.from(file).toString('base64')}`
const greenImage = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#1a7f64' } })
const pageAt = (path: string, requestedHost = host) => fetchAtHost(service.baseUrl + path, requestedHost)

describe('the appearance of a brand', () => {
  it('the appearance of a brand is set, shown and removed, with the logo encoded again', async () => {
    const file = await greenImage(512, 256)
      .jpeg()
      .withExif({ IFD0: { Artist: 'Framegate' } })
      .toBuffer()
    const digest = `sha256:${hash('sha256', file)}`
    const set = await changeBrand({ color: '#1A7F64', logo: dataUri(file, 'image/jpeg') })
    expect([set.status, set.json.color, set.json.logo]).toEqual([200, '#1a7f64', digest])
    expect((await service.request('GET', `/admin/v1/brands/${brand.id}`)).json).toMatchObject({ color: '#1a7f64', logo: digest })
    const served = await pageAt('/docs/logo.png')
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(await sharp(await served.arrayBuffer()).metadata()).toMatchObject({
      format: 'png',
      width: 128,
      height: 64,
      hasAlpha: true,
    })
    const view = service.brands.find(brand.id)
    const pixels = view && (await service.brands.logoOf(view))
    expect([pixels?.width, pixels?.height, pixels?.rgba.byteLength]).toEqual([128, 64, 128 * 64 * 4])
    expect(
      [...(pixels?.rgba.subarray(0, 4) ?? [])].map((value, index) => Math.abs(value - ([26, 127, 100, 255][index] ?? 0)) < 4),
    ).toEqual(Array.from({ length: 4 }, () => true))

    const otherLogo = await greenImage(4, 4).png().toBuffer()
    await changeBrand({ logo: dataUri(otherLogo) })
    const changedBrand = service.brands.find(brand.id)
    expect((changedBrand && (await service.brands.logoOf(changedBrand)))?.width).toBe(4)
    const { items } = (await service.request('GET', '/admin/v1/audit?limit=2')).json
    expect(items.map(({ after }: { after: object }) => after)).toEqual([
      { logo: `sha256:${hash('sha256', otherLogo)}` },
      { color: '#1A7F64', logo: digest },
    ])
    expect((await changeBrand({ color: null, logo: null })).json).toMatchObject({ color: null, logo: null })
    expect((await pageAt('/docs/logo.png')).status).toBe(404)
    expect(await service.store.database.selectFrom('brand_logos').selectAll().execute()).toEqual([])
  })

  it('the appearance of a brand may be set when the brand is created', async () => {
    const file = await greenImage(64, 64).webp().toBuffer()
    const body = { name: 'Second', hosts: ['second.example'], color: '#000000', logo: dataUri(file) }
    const created = await service.request('POST', '/admin/v1/brands', { body })
    expect([created.status, created.json.color, created.json.logo]).toEqual([201, '#000000', `sha256:${hash('sha256', file)}`])
    expect(await (await pageAt('/docs', 'second.example')).text()).toContain('<link rel="icon" href="docs/logo.png">')
  })

  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  it.each([
    ['a drawing that can hold scripts', () => dataUri(svg, 'image/svg+xml'), 'an SVG image'],
    ['a drawing that is declared as a PNG', () => dataUri(svg), 'an SVG image'],
    ['an address', () => 'https://example.com/logo.png', 'must be a data URI'],
    ['a data URI that is not base64', () => 'data:image/png,abc', 'not in base64'],
    [
      'an incomplete image',
      async () => dataUri((await greenImage(64, 64).png().toBuffer()).subarray(0, 60)),
      'damaged or incomplete',
    ],
    ['a line of pixels', async () => dataUri(await greenImage(2000, 1).png().toBuffer()), 'at most 100 times the shorter'],
    ['a file above 512 KiB', () => dataUri(Buffer.alloc(600 * 1024)), 'must be a data URI of an image of at most 512 KiB'],
    ['a file a little above 512 KiB', () => dataUri(Buffer.alloc(512 * 1024 + 1)), 'larger than'],
  ])('the logo of a brand is refused if it is %s', async (_what, logo, message) => {
    const refused = await changeBrand({ logo: await logo() })
    expect([refused.status, refused.json.error.code, refused.json.error.param]).toEqual([400, 'invalid_parameter', 'logo'])
    expect(refused.json.error.message).toContain(message)
    expect(service.brands.find(brand.id)?.logoSha256).toBeNull()
  })

  it.each(['green', '#12345', '#1234567', 'url(x)', '#12345g', '#123456;}', 7])('the color %j is rejected', async (color) => {
    const refused = await changeBrand({ color })
    expect([refused.status, refused.json.error.param]).toEqual([400, 'color'])
  })
})

describe('the docs page of a brand', () => {
  it('the docs page of a brand has the name, the icon and the color of the brand, whatever characters the name contains', async () => {
    await changeBrand({ color: '#1a7f64', name: `Größe & <Söhne> "x" '` })
    const text = await (await pageAt('/docs')).text()
    expect(text).toContain('<title>Größe &#38; &#60;Söhne&#62; &#34;x&#34; &#39;: API reference</title>')
    expect(text).toContain(`fill%3D'%231a7f64'`)
    expect(await (await pageAt('/docs/start.js')).text()).toContain('--scalar-color-accent: #1a7f64')
    expect(await (await pageAt('/docs', '127.0.0.1')).text()).toContain('<title>Framegate: API reference</title>')
  })

  it('a browser is redirected from / and the base path to the docs page, and a program is not', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    for (const [path, location] of [
      ['/', './api/docs'],
      ['/api', './api/docs'],
      ['/api/', '../api/docs'],
      ['/?a=b', './api/docs'],
    ] as const) {
      const response = await fetch(service.origin + path, { headers: { accept }, redirect: 'manual' })
      expect([path, response.status, response.headers.get('location'), response.headers.get('vary')]).toEqual([
        path,
        302,
        location,
        'Accept',
      ])
      const followed = await fetch(service.origin + path, { headers: { accept } })
      expect([followed.status, new URL(followed.url).pathname]).toEqual([200, '/api/docs'])
      for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }, { accept: 'text/html;q=0' }]) {
        expect(
          (await fetch(service.origin + path, { headers: headers as Record<string, string>, redirect: 'manual' })).status,
        ).toBe(404)
      }
      expect((await fetch(service.origin + path, { method: 'POST', headers: { accept }, redirect: 'manual' })).status).toBe(404)
    }
    const otherPath = await fetch(`${service.origin}/apis`, { headers: { accept }, redirect: 'manual' })
    expect(otherPath.status).toBe(404)
    await using serviceAtRoot = await openHttpService({ basePath: '' })
    const followed = await fetch(serviceAtRoot.origin, { headers: { accept } })
    expect([followed.status, new URL(followed.url).pathname]).toEqual([200, '/docs'])
  })
})

const documentAt = async (requestedHost: string | undefined) =>
  (await service.request('GET', '/openapi.json', { key: null, ...(requestedHost !== undefined && { host: requestedHost }) })).json
const firstExampleBody = async () => /-d '(.*)'/.exec((await documentAt(host)).info.description)?.[1] ?? ''

describe('the OpenAPI document of a brand', () => {
  it('the OpenAPI document of a brand mentions neither operator endpoints nor Framegate, and has no unused component', async () => {
    const document = await documentAt(host)
    expect(document.info).toMatchObject({ title: brand.name })
    expect(document.info.license).toBeUndefined()
    expect(Object.keys(document.paths).filter((path) => /admin|metrics|healthz|readyz|callbacks/.test(path))).toEqual([])
    expect(document.tags.map(({ name }: { name: string }) => name)).not.toContain('Operation')
    const text = JSON.stringify(document)
    expect(text).not.toMatch(/framegate|specification|_Source|\/admin\/|`admin`/i)
    for (const [kind, section] of Object.entries(document.components as Record<string, object>)) {
      for (const name of Object.keys(section)) {
        if (kind !== 'securitySchemes')
          expect([kind, name, text.includes(`"#/components/${kind}/${name}"`)]).toEqual([kind, name, true])
      }
    }
    for (const [reference] of text.matchAll(/#\/components\/\w+\/[^"]+/g)) {
      const [, , kind = '', name = ''] = reference.split('/')
      expect([reference, document.components[kind]?.[name] !== undefined]).toEqual([reference, true])
    }
  })

  it('the OpenAPI document of the first brand is complete until that brand is renamed', async () => {
    expect(JSON.stringify(await documentAt(undefined))).toMatch(/Framegate.*\/admin\/v1\/brands/)
    await service.request('PATCH', '/admin/v1/brands/brand_default', { body: { name: 'Northern Lights' } })
    expect(JSON.stringify(await documentAt(undefined))).not.toMatch(/framegate|specification|\/admin\//i)
  })

  it('the OpenAPI document of a brand begins with a model that the brand offers', async () => {
    expect(JSON.parse(await firstExampleBody())).toEqual({ model: 'imgA-5.0', prompt: 'a red fox' })
    await service.brands.setBrandModel(brand.id, 'imgA-5.0', { visibility: 'visible' })
    const submitted = await atStudio('POST', tasksPath, JSON.parse(await firstExampleBody()))
    expect([submitted.status, submitted.json.object]).toEqual([202, 'video'])
    await service.brands.changeBrand(brand.id, { otherModels: 'hidden' })
    expect(await firstExampleBody()).toContain('MODEL_ID')
  })
})

describe('files of a brand', () => {
  it('the file names of downloads contain the name of the brand at any host, unless that name is Framegate', async () => {
    const downloadNamesOf = async (key: string, requestedHost?: string) => {
      const requestOptions = { key, ...(requestedHost !== undefined && { host: requestedHost }) }
      const { id } = (await service.request('POST', tasksPath, { ...requestOptions, body: image })).json
      await service.startAll()
      await service.complete(id)
      const { result_url: url } = (await service.request('GET', `${tasksPath}/${id}`, requestOptions)).json
      const names = []
      for (const requestHost of [host, '127.0.0.1']) {
        names.push((await service.request('GET', url, { key: null, host: requestHost })).headers.get('content-disposition'))
      }
      return names.map((name) => name?.replace(id, 'ID'))
    }
    const disposition = 'inline; filename="grosse-sohne-ID.png"'
    expect(await downloadNamesOf(account.key, host)).toEqual([disposition, disposition])
    expect(await downloadNamesOf(service.key)).toEqual(['inline; filename="ID.png"', 'inline; filename="ID.png"'])
    await service.request('PATCH', '/admin/v1/brands/brand_default', { body: { name: 'Northern Lights' } })
    expect(await downloadNamesOf(service.key)).toEqual(
      Array.from({ length: 2 }, () => 'inline; filename="northern-lights-ID.png"'),
    )
  })
})

const designOf = (name: string) => watermarkOf({ name, color: '#1a7f64', isWhiteLabel: true }, null)

describe('the watermark of a brand', () => {
  it('the watermark of a brand without a logo has a dot in its color and the first drawable characters of its name', () => {
    expect(designOf('Größe & Söhne')).toEqual({ text: 'GROSSE & SOHNE', color: '#1a7f64', sign: 'dot' })
    expect(designOf('北光').text).toBe('')
    expect(designOf('The Very Long Name Of A Studio In The North').text).toBe('THE VERY LONG NAME OF A')
    expect(designOf('x'.repeat(100)).text).toBe('X'.repeat(24))
    expect(watermarkOf({ name: 'Framegate', color: null, isWhiteLabel: false }, null)).toMatchObject({
      text: 'FRAMEGATE',
      sign: 'gate',
    })
  })
})
