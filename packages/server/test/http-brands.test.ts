import { DatabaseSync } from 'node:sqlite'
import type { AuditEntry } from '@framegate/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Brand } from '../src/brands/brand.ts'
import { updateBrand, type BrandStore } from '../src/brands/change-brands.ts'
import { openHttpService, type HttpService, type TestAccount } from './http-service.ts'
import { testEngine } from './test-engine.ts'

const tasksPath = '/v2/model-center/tasks'
const models = '/v2/model-center/models'
const image = { model: 'imgA-5.0', prompt: 'a boat on a lake' }
const pro = { model: 'imgA_5.0Pro', prompt: 'a boat on a lake' }
const video = { model: 'vidDq3-turbo', prompt: 'a red fox', seconds: 5 }
const host = 'studio.example.com'

let service: HttpService
let brand: Brand
let account: TestAccount
beforeEach(async () => {
  service = await openHttpService()
  brand = (await service.brands.createBrand({ name: 'Studio', hosts: [host] })).brand
  account = await service.newAccount(10, undefined, {}, brand)
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
})

const atStudio = (method: string, path: string, body?: unknown) =>
  service.request(method, path, { key: account.key, host, ...(body !== undefined && { body }) })
const atDefault = (method: string, path: string, body?: unknown) =>
  service.request(method, path, { ...(body !== undefined && { body }) })
const statusAt = async (host: string, key: string) => (await service.request('GET', '/v2/credits', { host, key })).status
const codeOf = (response: { json: { error?: { code: string } } }) => response.json.error?.code
const listIds = async (send: typeof atStudio) =>
  (await send('GET', `${models}?limit=100`)).json.items.map(({ id }: { id: string }) => id) as string[]

const completeImage = async (send: typeof atStudio) => {
  const { id } = (await send('POST', tasksPath, image)).json
  await service.startAll()
  await service.complete(id)
  return id as string
}
const readLink = async (send: typeof atStudio, id: string) => {
  const { json } = await send('GET', `${tasksPath}/${id}`)
  expect(json.image_url).toBe(json.result_url)
  return new URL(json.result_url)
}
const refusalOf = (change: Promise<unknown>) => change.then(String, (error: Error) => `${error.name}: ${error.message}`)

async function expectCreatedOnce(path: string, listQuery: string, body: { name: string; brand?: string }): Promise<void> {
  const responses = await Promise.all(Array.from({ length: 8 }, () => atDefault('POST', `/admin/v1${path}`, body)))
  expect(new Set(responses.map(({ json }) => json.id)).size).toBe(1)
  const { items } = (await atDefault('GET', `/admin/v1${path}${listQuery}`)).json
  expect(items.filter(({ name }: { name: string }) => name === body.name)).toHaveLength(1)
  const entries = (await atDefault('GET', '/admin/v1/audit?limit=100')).json.items
  expect(entries.filter(({ target }: { target: string }) => target === responses[0]?.json.id)).toHaveLength(1)
}

describe('the host of a request', () => {
  it('the host of a request determines the brand, in any spelling', async () => {
    for (const requestedHost of [host, `${host}:8787`, 'STUDIO.Example.com', `${host}.`, `${host}.:443`]) {
      expect([requestedHost, await statusAt(requestedHost, account.key), await statusAt(requestedHost, service.key)]).toEqual([
        requestedHost,
        200,
        401,
      ])
    }
  })

  it('an unknown host belongs to the default brand', async () => {
    const unowned = ['127.0.0.1', 'other.example.com', `x.${host}`, `${host}.evil.example`, 'example.com', '[::1]:80']
    for (const requestedHost of [...unowned, ' ', ',', '%', 'a@b', ':', `${host},x`]) {
      expect([requestedHost, await statusAt(requestedHost, account.key), await statusAt(requestedHost, service.key)]).toEqual([
        requestedHost,
        401,
        200,
      ])
    }
  })

  it('the host of an absolute request line overrides the Host header, and a request without a valid host belongs to the default brand', async () => {
    const send = async (line: string, headers: string, key: string) => {
      const response = await service.raw(`GET ${line}\r\n${headers}Authorization: Bearer ${key}\r\nConnection: close\r\n\r\n`)
      return Number(response.split(' ')[1])
    }
    const absolute = `http://${host}:80/api/v2/credits HTTP/1.1`
    expect(await send(absolute, 'Host: other.example\r\n', account.key)).toBe(200)
    expect(await send(absolute, 'Host: other.example\r\n', service.key)).toBe(401)
    expect(await send('/api/v2/credits HTTP/1.1', `Host: other.example\r\nHost: ${host}\r\n`, account.key)).not.toBe(200)
    for (const odd of ['', '[', ']', '[]:', '.', '\xff\xfe', 'x'.repeat(8000)]) {
      expect(await send('/api/v2/credits HTTP/1.1', `Host: ${odd}\r\n`, service.key)).toBe(200)
    }
    expect(await send('/api/v2/credits HTTP/1.0', '', service.key)).toBe(200)
    expect(await send('/api/v2/credits HTTP/1.0', '', account.key)).toBe(401)
  })

  it('a key of another brand gets the same response as an unknown key and does not count as used', async () => {
    const expired = await service.keys.issueKey({ accountNo: account.accountNo, name: 'x', scopes: [], expiresAtMs: 1 })
    const suspended = await service.newAccount(1, undefined, {}, brand)
    await service.store.database
      .updateTable('accounts')
      .set({ status: 'suspended' })
      .where('no', '=', suspended.accountNo)
      .execute()
    await service.keys.reload()
    const responses: unknown[] = []
    for (const key of [`fg_live_${'A'.repeat(43)}`, account.key, expired.key, suspended.key]) {
      const { status, headers, text } = await service.request('GET', '/v2/credits', { key })
      const shownHeaders = [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date')
      responses.push([status, shownHeaders, text.replace(headers.get('x-request-id') ?? '', '')])
    }
    expect(responses).toEqual(Array.from({ length: 4 }, () => responses[0]))
    expect(responses[0]).toMatchObject([401, expect.arrayContaining([['www-authenticate', 'Bearer']]), expect.anything()])
    await service.keys[Symbol.asyncDispose]()
    const row = await service.store.database
      .selectFrom('api_keys')
      .select('last_used_at')
      .where('id', '=', account.keyId)
      .execute()
    expect(row).toEqual([{ last_used_at: null }])
  })
})

describe('the catalogue of a brand', () => {
  it('imgA_5.0Pro is rejected with brand_model_missing until an operator enables it in the brand', async () => {
    const refused = await atStudio('POST', tasksPath, pro)
    expect([refused.status, codeOf(refused)]).toEqual([403, 'brand_model_missing'])
    expect((await atStudio('POST', `${tasksPath}/quote`, pro)).json).toMatchObject({
      available: false,
      reason: 'brand_model_missing',
    })
    await service.brands.setBrandModel(brand.id, pro.model, { visibility: 'invocable' })
    expect((await atStudio('POST', tasksPath, pro)).status).toBe(202)
    expect((await atStudio('POST', `${tasksPath}/quote`, pro)).json).toMatchObject({ available: true, reason: null })
    expect((await atStudio('GET', `${models}/${pro.model}`)).json).toMatchObject({ available: true, reason: null })
    expect(codeOf(await atDefault('POST', tasksPath, pro))).toBe('brand_model_missing')
    await service.brands.setBrandModel(brand.id, pro.model, { visibility: null })
    expect(codeOf(await atStudio('POST', tasksPath, pro))).toBe('brand_model_missing')
  })

  it('catalogue, quote and submit of a brand agree on a visible model', async () => {
    await service.brands.setBrandModel(brand.id, image.model, { visibility: 'visible' })
    const missing = { available: false, reason: 'brand_model_missing' }
    expect((await atStudio('GET', `${models}/${image.model}`)).json).toMatchObject(missing)
    expect((await atStudio('GET', `${models}?object=image`)).json.items).toContainEqual(
      expect.objectContaining({ id: image.model, ...missing }),
    )
    expect((await atStudio('POST', `${tasksPath}/quote`, image)).json).toMatchObject({ amount: 0.04, ...missing })
    const refused = await atStudio('POST', tasksPath, image)
    expect([refused.status, codeOf(refused), refused.json.error.param]).toEqual([403, 'brand_model_missing', 'model'])
    expect((await atDefault('POST', tasksPath, image)).status).toBe(202)
  })

  it('a hidden model of a brand is unknown at every endpoint', async () => {
    await service.brands.setBrandModel(brand.id, video.model, { visibility: 'hidden' })
    const unknown = 'vidDq3-turb' // one letter is missing, so that the error would suggest the nearest name
    for (const model of [video.model, unknown]) {
      for (const response of [
        await atStudio('GET', `${models}/${model}`),
        await atStudio('POST', tasksPath, { ...video, model }),
        await atStudio('POST', `${tasksPath}/quote`, { ...video, model }),
        await atStudio('POST', '/v1/vidD/videos', { ...video, model }),
      ]) {
        expect([response.status, codeOf(response)]).toEqual([404, 'model_not_found'])
        expect(response.text.replaceAll(`${model}\\"`, '')).not.toContain(video.model)
      }
    }
    expect(await listIds(atStudio)).not.toContain(video.model)
    expect(await listIds(atDefault)).toContain(video.model)
    const document = await atStudio('GET', '/openapi.json')
    expect(document.json.components.schemas.VidDRequest.discriminator.mapping).not.toHaveProperty([video.model])
    expect(document.json.info.title).toBe('Studio')
    const otherDocument = await atDefault('GET', '/openapi.json')
    expect(otherDocument.json.components.schemas.VidDRequest.discriminator.mapping).toHaveProperty([video.model])
    expect(otherDocument.headers.get('etag')).not.toBe(document.headers.get('etag'))
    expect((await atStudio('GET', '/openapi.json')).headers.get('etag')).toBe(document.headers.get('etag'))
    await service.prices.setPrice({ model: image.model, brandNo: brand.no, price: { unit: 'image', credits: { '*': 0.77 } } })
    const priced = await atStudio('GET', '/openapi.json')
    expect(priced.json.components.schemas.imgA_5_0.description).toContain('0.77')
    expect((await atDefault('GET', '/openapi.json')).text).toBe(otherDocument.text)
  })

  it('a brand may hide all models but those that an operator sets for it, and may replace their titles', async () => {
    await service.brands.changeBrand(brand.id, { otherModels: 'hidden' })
    expect(await listIds(atStudio)).toEqual([])
    expect((await atStudio('GET', '/openapi.json')).status).toBe(200)
    await service.brands.setBrandModel(brand.id, image.model, { title: ' Studio Stills ' })
    expect((await atStudio('GET', models)).json.items).toMatchObject([
      { id: image.model, title: 'Studio Stills', available: true },
    ])
    const hint = await atStudio('GET', `${models}/studio stills`)
    expect(hint.json.error.message).toContain(`the Model ID is "${image.model}"`)
    expect((await atDefault('GET', `${models}/${image.model}`)).json.title).toBe('ImgA 5.0 image generation')
    expect((await atDefault('GET', `${models}/studio stills`)).text).not.toContain(`the Model ID is`)
    await service.brands.setBrandModel(brand.id, image.model, { title: null, visibility: 'invocable' })
    expect((await atStudio('GET', models)).json.items).toMatchObject([{ title: 'ImgA 5.0 image generation' }])
  })
})

describe('the result links of a brand', () => {
  it('result links of a brand have its result_origin, or without one the origin of the service', async () => {
    const id = await completeImage(atStudio)
    expect((await readLink(atStudio, id)).origin).toBe(service.origin)
    await service.brands.changeBrand(brand.id, { resultOrigin: 'https://files.studio.example' })
    const link = await readLink(atStudio, id)
    expect(link.origin).toBe('https://files.studio.example')
    expect((await atStudio('GET', tasksPath)).json.items[0].result_url).toBe(link.href)
    expect((await readLink(atDefault, await completeImage(atDefault))).origin).toBe(service.origin)
    await service.brands.changeBrand(brand.id, { resultOrigin: null })
    expect((await readLink(atStudio, id)).origin).toBe(service.origin)
  })

  it('result links of a brand open without a key at any host', async () => {
    await service.brands.changeBrand(brand.id, { resultOrigin: 'https://files.studio.example' })
    const { pathname, search } = await readLink(atStudio, await completeImage(atStudio))
    for (const requestedHost of [host, 'files.studio.example', '127.0.0.1']) {
      const media = await service.request('GET', service.origin + pathname + search, { key: null, host: requestedHost })
      expect([media.status, media.text]).toEqual([200, 'the image itself'])
    }
  })
})

describe('brand settings of an operator', () => {
  it('a host belongs to one brand only and can be removed from it', async () => {
    expect(await refusalOf(service.brands.createBrand({ name: 'Other', hosts: ['x.example', 'STUDIO.example.com.'] }))).toBe(
      `InvalidBrand: The host ${host} already belongs to the brand ${brand.id}.`,
    )
    expect(service.brands.all()).toHaveLength(2)
    const { brand: otherBrand } = await service.brands.createBrand({ name: 'Other', hosts: ['x.example', 'X.example'] })
    expect(otherBrand.hosts).toEqual(['x.example'])
    expect(await refusalOf(service.brands.changeBrand(otherBrand.id, { hosts: [host] }))).toContain('belongs to the brand')
    await service.brands.changeBrand(brand.id, { hosts: [] })
    await service.brands.changeBrand(otherBrand.id, { hosts: [host, 'x.example'] })
    expect(service.brands.ofHost(host)).toBe(service.brands.find(otherBrand.id))
    expect(await statusAt(host, account.key)).toBe(401)
    const duplicate = service.store.database
      .insertInto('brands')
      .values({ id: 'b', name: 'b', hosts: `["${host}"]`, created_at: 0 })
    await expect(duplicate.execute()).rejects.toThrow(testEngine.name === 'SQLite' ? 'brand_hosts.host' : 'brand_hosts_pkey')
  })

  it('move_hosts moves hosts from other brands in the same change', async () => {
    const { brand: other } = await service.brands.createBrand({ name: 'Other', hosts: ['x.example', 'y.example'] })
    const move = (body: object) => atDefault('PATCH', `/admin/v1/brands/${other.id}`, body)
    expect((await move({ hosts: [host, 'x.example'] })).json.error.message).toContain('already belongs to the brand')
    const { status, json } = await move({ hosts: [host, 'x.example'], move_hosts: true })
    expect([status, json.hosts]).toEqual([200, [host, 'x.example']])
    expect((await atDefault('GET', `/admin/v1/brands/${brand.id}`)).json.hosts).toEqual([])
    const { items } = (await atDefault('GET', '/admin/v1/audit?limit=2')).json
    expect(items.map(({ target, before, after }: AuditEntry) => [target, before, after])).toEqual([
      [
        other.id,
        expect.objectContaining({ hosts: ['x.example', 'y.example'] }),
        { hosts: [host, 'x.example'], move_hosts: true },
      ],
      [brand.id, expect.objectContaining({ hosts: [host] }), { hosts: [] }],
    ])
    expect(service.brands.ofHost(host).id).toBe(other.id)
    expect(service.brands.ofHost('y.example').isDefault).toBe(true)
    expect((await move({ hosts: ['x.example'], move_hosts: true })).json.hosts).toEqual(['x.example'])
  })

  it('move_hosts also moves hosts from a brand that another process has just created', async () => {
    const hosts = ['new.example', 'kept.example']
    await service.store.database
      .insertInto('brands')
      .values({ id: 'brand_of_other_process', name: 'New', hosts: JSON.stringify(hosts), created_at: 0 })
      .execute()
    const change = { hosts: [host, 'new.example'], move_hosts: true }
    expect((await atDefault('PATCH', `/admin/v1/brands/${brand.id}`, change)).json).toMatchObject({
      hosts: [host, 'new.example'],
    })
    const { items } = (await atDefault('GET', '/admin/v1/audit?limit=2')).json
    expect(items[1]).toMatchObject({ target: 'brand_of_other_process', before: { hosts }, after: { hosts: ['kept.example'] } })
  })

  it('a host that two brands take at the same moment ends in one of them', async () => {
    const brands = await Promise.all(
      Array.from({ length: 6 }, async (_, index) => (await service.brands.createBrand({ name: `Taker ${index}` })).brand),
    )
    for (let round = 0; round < 5; round++) {
      const responses = await Promise.all(
        brands.map(({ id }) => atDefault('PATCH', `/admin/v1/brands/${id}`, { hosts: [host], move_hosts: true })),
      )
      expect(responses.filter(({ status }) => status >= 500)).toEqual([])
      const owners = service.brands.all().filter(({ hosts }) => hosts.includes(host))
      expect(owners).toHaveLength(1)
    }
  })

  it.each([
    ['the hosts of a second brand change', ['second.example', 'new.example']],
    ['a second brand takes a free host', ['second.example', 'free.example']],
  ])('move_hosts moves all hosts if %s at the same moment', async (_, hostsMeanwhile) => {
    const { brand: first } = await service.brands.createBrand({ name: 'First owner', hosts: ['first.example'] })
    const { brand: second } = await service.brands.createBrand({ name: 'Second owner', hosts: ['second.example'] })
    const { brand: mover } = await service.brands.createBrand({ name: 'Mover' })
    const { database } = service.store
    let isFirstWrite = true
    const store: BrandStore = {
      database,
      async writeAtomically(...statements) {
        if (isFirstWrite) await service.brands.changeBrand(second.id, { hosts: hostsMeanwhile })
        isFirstWrite = false
        return service.store.writeAtomically(...statements)
      },
    }
    const hosts = ['first.example', 'second.example', 'free.example']
    await updateBrand(store, mover, { hosts, movesHosts: true })
    await service.brands.refresh()
    expect(service.brands.find(mover.id)?.hosts).toEqual(hosts)
    expect(service.brands.find(first.id)?.hosts).toEqual([])
    expect(service.brands.find(second.id)?.hosts).toEqual(hostsMeanwhile.filter((name) => !hosts.includes(name)))
  })

  it('a brand or an account that many requests create at the same moment is created once', async () => {
    await expectCreatedOnce('/brands', '', { name: 'Twins' })
    await expectCreatedOnce('/accounts', '?limit=100', { name: 'Twins', brand: brand.id })
  })

  it('an invalid brand setting is rejected with the reason', async () => {
    const { brands } = service
    expect(await refusalOf(brands.createBrand({ name: ' ' }))).toContain('A name must have 1 to 100 characters.')
    expect(await refusalOf(brands.createBrand({ name: 'a', hosts: ['https://a.example'] }))).toContain(
      'A host must be a name such as',
    )
    expect(
      await refusalOf(brands.createBrand({ name: 'a', hosts: Array.from({ length: 101 }, (_, n) => `${n}.a.example`) })),
    ).toContain('at most 100')
    expect(await refusalOf(brands.changeBrand(brand.id, { resultOrigin: 'https://a.example/x' }))).toContain('without a path')
    expect(await refusalOf(brands.changeBrand(brand.id, { resultOrigin: 'ftp://a.example' }))).toContain(
      'The origin of result links must be',
    )
    expect(await refusalOf(brands.setBrandModel(brand.id, 'imgA-5', {}))).toContain('There is no model "imgA-5".')
    expect(await refusalOf(brands.setBrandModel(brand.id, image.model, { title: '' }))).toContain('A title must have 1 to 200')
    expect(brands.find(brand.id)).toBe(brand)
    expect([
      await brands.changeBrand('b', { name: 'x' }),
      await brands.setBrandModel('b', image.model, {}),
      await brands.makeDefault('b'),
    ]).toEqual([undefined, undefined, undefined])
    expect(await brands.changeBrand(brand.id, {})).toBe(brand)
  })

  it('the settings of a deleted model in a brand can be reset, but not changed', async () => {
    const definition = { id: 'house', object: 'image', parameters: { prompt: {} }, required: ['prompt'], price: { per_image: 1 } }
    await atDefault('POST', '/admin/v1/models', definition)
    const setModel = (change: object) => atDefault('POST', `/admin/v1/brands/${brand.id}/models`, { model: 'house', ...change })
    await setModel({ visibility: 'visible', title: 'House' })
    await atDefault('DELETE', '/admin/v1/models/house')

    expect((await setModel({ title: 'Home' })).json.error.message).toContain('There is no model "house".')
    expect((await setModel({ title: null })).json.models).toEqual([{ id: 'house', visibility: 'visible', title: null }])
    expect((await setModel({ visibility: null })).json.models).toEqual([])
    expect((await setModel({ visibility: null, title: null })).status).toBe(400)
  })

  it('another brand may become the default if the former default brand has a host for its keys', async () => {
    const [formerDefault] = service.brands.all()
    expect(await refusalOf(service.brands.makeDefault(brand.id))).toContain(
      `Add a host to the default brand ${formerDefault?.id} first`,
    )
    await service.brands.changeBrand(formerDefault?.id ?? '', { hosts: ['old.example'] })
    expect(await service.brands.makeDefault(brand.id)).toMatchObject({ id: brand.id, isDefault: true })
    expect([await statusAt('127.0.0.1', account.key), await statusAt('127.0.0.1', service.key)]).toEqual([200, 401])
    expect([await statusAt('old.example', account.key), await statusAt('old.example', service.key)]).toEqual([401, 200])
    expect(service.brands.all().map(({ isDefault }) => isDefault)).toEqual([false, true])
  })

  it('the tasks in flight of a brand can be limited', async () => {
    await service.brands.changeBrand(brand.id, { tasksInFlightMax: 1 })
    expect((await atStudio('POST', tasksPath, image)).status).toBe(202)
    expect(codeOf(await atStudio('POST', tasksPath, image))).toBe('too_many_tasks_in_flight')
    expect((await atDefault('POST', tasksPath, image)).status).toBe(202)
    await service.brands.changeBrand(brand.id, { tasksInFlightMax: null })
    expect((await atStudio('POST', tasksPath, image)).status).toBe(202)
  })

  it.runIf(testEngine.name === 'SQLite')('a brand change of another process takes effect within a second', async () => {
    const secondConnection = new DatabaseSync(service.databaseFile, { timeout: 5000 })
    secondConnection.prepare(`update brands set hosts = '["new.example"]' where id = ?`).run(brand.id)
    secondConnection.prepare("insert into brand_models values (?, ?, 'hidden', null)").run(brand.no, image.model)
    await expect.poll(() => statusAt('new.example', account.key), { timeout: 1000, interval: 20 }).toBe(200)
    expect(await statusAt(host, account.key)).toBe(401)
    const viewModel = () => service.request('GET', `${models}/${image.model}`, { key: account.key, host: 'new.example' })
    expect((await viewModel()).status).toBe(404)
    secondConnection.prepare("update brand_models set visibility = 'visible'").run()
    await expect.poll(async () => (await viewModel()).status, { timeout: 1000, interval: 20 }).toBe(200)
    const inserted = secondConnection.prepare("insert into brands (id, name, created_at) values ('brand_2', 'Two', 0)").run()
    secondConnection.close()
    expect(await service.brands.changeBrand('brand_2', { name: 'Second' })).toMatchObject({
      no: Number(inserted.lastInsertRowid),
      name: 'Second',
    })
  })
})
