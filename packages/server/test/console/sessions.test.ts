import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHttpService, type HttpService } from '../http-service.ts'

let service: HttpService
beforeAll(async () => {
  service = await openHttpService({ hasConsole: true })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

/** Headers that a browser sends with a same-origin request of the console. */
const ownPage = { 'sec-fetch-site': 'same-origin', 'x-console-request': '1' }

async function ask(
  method: string,
  path: string,
  options: { cookie?: string; body?: unknown; headers?: Record<string, string> } = {},
) {
  const { cookie, body, headers = {} } = options
  const response = await fetch(service.origin + path, {
    method,
    headers: {
      ...ownPage,
      ...(cookie !== undefined && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: text === '' ? null : JSON.parse(text) }
}

async function begin(key = service.key, headers: Record<string, string> = {}): Promise<string> {
  const response = await ask('POST', '/console/session', { body: { key }, headers })
  expect(response.status).toBe(201)
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

const tasksPath = '/console/api/v2/model-center/tasks'

it('a session can call the API below /console/api only, and other paths ignore the cookie', async () => {
  const cookie = await begin()
  const submitted = await ask('POST', tasksPath, { cookie, body: { model: 'imgA-5.0', prompt: 'a paper boat' } })
  expect([submitted.status, submitted.json.status]).toEqual([202, 'queued'])
  expect((await ask('GET', tasksPath, { cookie })).json.items[0].id).toBe(submitted.json.id)
  expect((await ask('GET', '/api/v2/model-center/tasks', { cookie })).status).toBe(401)
  expect((await ask('GET', tasksPath, { headers: { authorization: `Bearer ${service.key}` } })).status).toBe(401)
})

it('the cookie is HttpOnly and SameSite=Strict, and behind TLS also Secure with the prefix __Host-', async () => {
  const plain = await ask('POST', '/console/session', { body: { key: service.key } })
  expect(plain.headers.get('set-cookie')).toMatch(/^console_session_tests=[^;]+; Path=\/console; HttpOnly; SameSite=Strict$/)
  const headers = { origin: `https://${new URL(service.origin).host}` }
  const secure = await ask('POST', '/console/session', { body: { key: service.key }, headers })
  expect(secure.headers.get('set-cookie')).toMatch(
    /^__Host-console_session_tests=[^;]+; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
  )
})

it.each([
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['another subdomain', { 'sec-fetch-site': 'same-site' }],
  ['no site and no origin', { 'sec-fetch-site': undefined }],
  ['no site and a foreign origin', { 'sec-fetch-site': undefined, origin: 'https://other.example' }],
  ['no mark', { 'x-console-request': undefined }],
  ['the content type of a form', { 'content-type': 'text/plain' }],
])('a change with a session is rejected if the request has %s', async (_, change) => {
  const cookie = await begin()
  const headers = Object.entries({ ...ownPage, 'content-type': 'application/json', cookie, ...change })
  const response = await fetch(service.origin + tasksPath, {
    method: 'POST',
    headers: headers.filter((field): field is [string, string] => field[1] !== undefined),
    body: JSON.stringify({ model: 'imgA-5.0', prompt: 'never' }),
  })
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('did not come from the console')])
  const { json } = await service.request('GET', '/v2/model-center/tasks?view=full')
  expect(JSON.stringify(json)).not.toContain('never')
})

it('a read with a session is rejected from another site, and allowed for a link that the user opens', async () => {
  const cookie = await begin()
  expect((await ask('GET', tasksPath, { cookie, headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(400)
  expect((await ask('GET', tasksPath, { cookie, headers: { 'sec-fetch-site': 'none' } })).status).toBe(200)
})

it('a session ends at sign-out, with its key, after twelve idle hours and after a week', async () => {
  const left = await begin()
  expect((await ask('DELETE', '/console/session', { cookie: left })).status).toBe(204)
  expect((await ask('GET', tasksPath, { cookie: left })).status).toBe(401)

  const account = await service.newAccount(1)
  const ofKey = await begin(account.key)
  await service.keys.revokeKey(account.keyId)
  expect((await ask('GET', tasksPath, { cookie: ofKey })).status).toBe(401)
  expect((await ask('GET', '/console/session', { cookie: ofKey })).status).toBe(204)

  const cookie = await begin()
  const hourMs = 3_600_000
  service.clockAheadMs += 11 * hourMs
  expect((await ask('GET', tasksPath, { cookie })).status).toBe(200)
  service.clockAheadMs += 11 * hourMs
  expect((await ask('GET', tasksPath, { cookie })).status).toBe(200)
  for (let hours = 22; hours < 7 * 24; hours += 11) {
    service.clockAheadMs += 11 * hourMs
    await ask('GET', tasksPath, { cookie })
  }
  expect((await ask('GET', tasksPath, { cookie })).status).toBe(401)
  const idle = await begin()
  service.clockAheadMs += 13 * hourMs
  expect((await ask('GET', tasksPath, { cookie: idle })).status).toBe(401)
})

it('a forged or modified session token is rejected', async () => {
  const cookie = await begin()
  const [name = '', token = ''] = cookie.split('=')
  for (const other of ['', 'x', `${'a'.repeat(43)}.${'b'.repeat(43)}`, `A${token.slice(1)}`, `${token}x`]) {
    expect((await ask('GET', tasksPath, { cookie: `${name}=${other}` })).status).toBe(401)
  }
})

it('changes of keys, credits and prices require that the key was entered in the last ten minutes', async () => {
  const rows = await service.store.query.selectFrom('api_key_secrets').select('digest').orderBy('no').execute()
  const code = service.links.create(rows[0]?.digest ?? '')
  const begun = await ask('POST', '/console/session', { body: { code } })
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(begun.json).toMatchObject({ is_operator: true, confirmed_until: null })
  const account = await service.newAccount(0)
  const grants = `/console/api/admin/v1/accounts/${account.accountId}/grants`
  const grant = () => ask('POST', grants, { cookie, body: { amount: 5 } })
  expect([(await grant()).status, (await grant()).json.error.code]).toEqual([403, 'confirmation_required'])
  const spelledOtherwise = await ask('POST', grants.replace('grants', 'gr%61nts'), { cookie, body: { amount: 5 } })
  expect(spelledOtherwise.json.error.code).toBe('confirmation_required')
  expect((await ask('POST', '/console/session/confirm', { cookie, body: { key: account.key } })).status).toBe(401)
  const confirmed = await ask('POST', '/console/session/confirm', { cookie, body: { key: service.key } })
  expect(confirmed.status).toBe(200)
  expect(confirmed.json.confirmed_until).toBe((await ask('GET', '/console/session', { cookie })).json.confirmed_until)
  expect((await grant()).status).toBe(200)
  service.clockAheadMs += 11 * 60_000
  expect((await grant()).json.error.code).toBe('confirmation_required')
})

it('a sign-in link works once and for half an hour', async () => {
  const rows = await service.store.query.selectFrom('api_key_secrets').select('digest').orderBy('no').execute()
  const used = service.links.create(rows[0]?.digest ?? '')
  expect((await ask('POST', '/console/session', { body: { code: used } })).status).toBe(201)
  expect((await ask('POST', '/console/session', { body: { code: used } })).status).toBe(401)
  const old = service.links.create(rows[0]?.digest ?? '')
  service.clockAheadMs += 31 * 60_000
  expect((await ask('POST', '/console/session', { body: { code: old } })).json.error.message).toContain('has expired')
})

it('sign-in attempts are limited for each client address', async () => {
  service.clockAheadMs += 120_000
  const statuses: number[] = []
  for (let attempt = 0; attempt < 22; attempt++) {
    statuses.push((await ask('POST', '/console/session', { body: { key: 'fg_live_wrong' } })).status)
  }
  expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
  service.clockAheadMs += 60_000
  expect((await ask('POST', '/console/session', { body: { key: service.key } })).status).toBe(201)
})

it('the console page forbids inline scripts, foreign requests and frames, and does not exist if the console is off', async () => {
  const page = await fetch(`${service.origin}/console/tasks/any`, { headers: { accept: 'text/html' } })
  const html = await page.text()
  const policy = page.headers.get('content-security-policy') ?? ''
  for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "require-trusted-types-for 'script'"]) {
    expect(policy).toContain(rule)
  }
  expect(policy).not.toContain('unsafe')
  expect(html).not.toMatch(/<script(?![^>]*src=)|<style| style=| on\w+=/)
  const [, script = ''] = /type="module" src="([^"]+)"/.exec(html) ?? []
  const file = await fetch(service.origin + script, { headers: { 'accept-encoding': 'gzip' } })
  await file.text()
  expect([file.headers.get('content-encoding'), file.headers.get('cache-control')]).toEqual([
    'gzip',
    expect.stringContaining('immutable'),
  ])
  const asProgram = await ask('GET', '/console/nothing')
  expect([asProgram.status, asProgram.json.error.code]).toEqual([404, 'route_not_found'])
  await using plain = await openHttpService()
  const without = await fetch(`${plain.origin}/console`, { headers: { accept: 'text/html' } })
  expect([without.status, (await without.text()).includes('route_not_found')]).toEqual([404, true])
})
