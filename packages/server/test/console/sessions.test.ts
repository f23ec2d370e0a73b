import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { everyRequest, unknownResources } from '../every-request.ts'
import { openHttpService, type HttpService } from '../http-service.ts'

let service: HttpService
beforeAll(async () => {
  service = await openHttpService({ hasConsole: true })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

/** Headers that a browser sends with a same-origin request of the console. */
const consoleHeaders = { 'sec-fetch-site': 'same-origin', 'x-console-request': '1' }

async function request(
  method: string,
  path: string,
  options: { cookie?: string; body?: unknown; headers?: Record<string, string> } = {},
) {
  const { cookie, body, headers = {} } = options
  const response = await fetch(service.origin + path, {
    method,
    headers: {
      ...consoleHeaders,
      ...(cookie !== undefined && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: text === '' ? null : JSON.parse(text) }
}

async function signIn(key = service.key, headers: Record<string, string> = {}): Promise<string> {
  const response = await request('POST', '/console/session', { body: { key }, headers })
  expect(response.status).toBe(201)
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

const tasksPath = '/console/api/v2/model-center/tasks'

it('a session can call the API below /console/api, where keys are rejected, and other paths ignore its cookie', async () => {
  const cookie = await signIn()
  const submitted = await request('POST', tasksPath, { cookie, body: { model: 'imgA-5.0', prompt: 'a paper boat' } })
  expect([submitted.status, submitted.json.status]).toEqual([202, 'queued'])
  expect((await request('GET', tasksPath, { cookie })).json.items[0].id).toBe(submitted.json.id)
  expect((await request('GET', '/api/v2/model-center/tasks', { cookie })).status).toBe(401)
  expect((await request('GET', tasksPath, { headers: { authorization: `Bearer ${service.key}` } })).status).toBe(401)
})

it('the cookie is HttpOnly and SameSite=Strict, and behind TLS also Secure with the prefix __Host-', async () => {
  const plain = await request('POST', '/console/session', { body: { key: service.key } })
  expect(plain.headers.get('set-cookie')).toMatch(/^console_session_tests=[^;]+; Path=\/console; HttpOnly; SameSite=Strict$/)
  const headers = { origin: `https://${new URL(service.origin).host}` }
  const secure = await request('POST', '/console/session', { body: { key: service.key }, headers })
  expect(secure.headers.get('set-cookie')).toMatch(
    /^__Host-console_session_tests=[^;]+; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
  )
})

it.each([
  ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
  ['Sec-Fetch-Site: same-site', { 'sec-fetch-site': 'same-site' }],
  ['neither Sec-Fetch-Site nor Origin', { 'sec-fetch-site': undefined }],
  ['no Sec-Fetch-Site and a foreign Origin', { 'sec-fetch-site': undefined, origin: 'https://other.example' }],
  ['no x-console-request header', { 'x-console-request': undefined }],
  ['a content type that a form can send', { 'content-type': 'text/plain' }],
])('a state-changing request with a session cookie and %s is rejected', async (_, change) => {
  const cookie = await signIn()
  const headers = Object.entries({ ...consoleHeaders, 'content-type': 'application/json', cookie, ...change })
  const response = await fetch(service.origin + tasksPath, {
    method: 'POST',
    headers: headers.filter((field): field is [string, string] => field[1] !== undefined),
    body: JSON.stringify({ model: 'imgA-5.0', prompt: 'never' }),
  })
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('did not come from the console')])
  const { json } = await service.request('GET', '/v2/model-center/tasks?view=full')
  expect(JSON.stringify(json)).not.toContain('never')
})

it('a cross-site GET with a session cookie is rejected, and a direct navigation (Sec-Fetch-Site: none) is allowed', async () => {
  const cookie = await signIn()
  expect((await request('GET', tasksPath, { cookie, headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(400)
  expect((await request('GET', tasksPath, { cookie, headers: { 'sec-fetch-site': 'none' } })).status).toBe(200)
})

it('long polls and streams of a session end at sign-out without the result', async () => {
  const cookie = await signIn()
  const { id } = (await request('POST', tasksPath, { cookie, body: { model: 'imgA-5.0', prompt: 'a paper boat' } })).json
  await service.startAll()
  const headers = { ...consoleHeaders, cookie }
  const waiting = ['?wait=30', '/events'].map(async (query) => fetch(`${service.origin}${tasksPath}/${id}${query}`, { headers }))
  const stream = await waiting[1]
  await sleep(100)
  await request('DELETE', '/console/session', { cookie })
  await service.complete(id)
  const [poll] = await Promise.all(waiting)
  expect([poll?.status, await poll?.text()]).toEqual([401, expect.stringContaining('The session has ended')])
  expect(await stream?.text()).not.toContain('result_url')
})

it('a session ends at sign-out, when its key is revoked, after twelve idle hours, and after a week', async () => {
  const signedOutCookie = await signIn()
  expect((await request('DELETE', '/console/session', { cookie: signedOutCookie })).status).toBe(204)
  expect((await request('GET', tasksPath, { cookie: signedOutCookie })).status).toBe(401)

  const account = await service.newAccount(1)
  const revokedKeyCookie = await signIn(account.key)
  await service.keys.revokeKey(account.keyId)
  expect((await request('GET', tasksPath, { cookie: revokedKeyCookie })).status).toBe(401)
  expect((await request('GET', '/console/session', { cookie: revokedKeyCookie })).status).toBe(204)

  const cookie = await signIn()
  const hourMs = 3_600_000
  service.clockAheadMs += 11 * hourMs
  expect((await request('GET', tasksPath, { cookie })).status).toBe(200)
  service.clockAheadMs += 11 * hourMs
  expect((await request('GET', tasksPath, { cookie })).status).toBe(200)
  for (let hours = 22; hours < 7 * 24; hours += 11) {
    service.clockAheadMs += 11 * hourMs
    await request('GET', tasksPath, { cookie })
  }
  expect((await request('GET', tasksPath, { cookie })).status).toBe(401)
  const idleCookie = await signIn()
  service.clockAheadMs += 13 * hourMs
  expect((await request('GET', tasksPath, { cookie: idleCookie })).status).toBe(401)
})

it('a forged or modified session token is rejected', async () => {
  const cookie = await signIn()
  const [name = '', token = ''] = cookie.split('=')
  for (const otherToken of [
    '',
    'x',
    `${'a'.repeat(43)}.${'b'.repeat(43)}`,
    `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`,
    `${token}x`,
  ]) {
    expect((await request('GET', tasksPath, { cookie: `${name}=${otherToken}` })).status).toBe(401)
  }
})

it('a grant of credits requires that the key was entered in the last ten minutes', async () => {
  const rows = await service.store.database.selectFrom('api_key_secrets').select('digest').orderBy('no').execute()
  const code = service.links.create(rows[0]?.digest ?? '')
  const sessionResponse = await request('POST', '/console/session', { body: { code } })
  const cookie = sessionResponse.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(sessionResponse.json).toMatchObject({ is_operator: true, confirmed_until: null })
  const account = await service.newAccount(0)
  const grants = `/console/api/admin/v1/accounts/${account.accountId}/grants`
  const grantCredits = () => request('POST', grants, { cookie, body: { amount: 5 } })
  expect([(await grantCredits()).status, (await grantCredits()).json.error.code]).toEqual([403, 'confirmation_required'])
  const percentEncoded = await request('POST', grants.replace('grants', 'gr%61nts'), { cookie, body: { amount: 5 } })
  expect(percentEncoded.json.error.code).toBe('confirmation_required')
  expect((await request('POST', '/console/session/confirm', { cookie, body: { key: account.key } })).status).toBe(401)
  const confirmed = await request('POST', '/console/session/confirm', { cookie, body: { key: service.key } })
  expect(confirmed.status).toBe(200)
  expect(confirmed.json.confirmed_until).toBe((await request('GET', '/console/session', { cookie })).json.confirmed_until)
  expect((await grantCredits()).status).toBe(200)
  service.clockAheadMs += 11 * 60_000
  expect((await grantCredits()).json.error.code).toBe('confirmation_required')
})

it('each change through the operator API requires that the key was entered in the last ten minutes', async () => {
  const cookie = await signIn()
  service.clockAheadMs += 11 * 60_000
  const changes = everyRequest(unknownResources).filter(
    ({ method, path }) => method !== 'GET' && path.startsWith('/api/admin/v1/'),
  )
  const admitted: string[] = []
  for (const { method, path, body } of changes) {
    const { json } = await request(method, `/console${path}`, { cookie, ...(method !== 'DELETE' && { body: body ?? {} }) })
    if (json?.error?.code !== 'confirmation_required') admitted.push(`${method} ${path}`)
  }
  expect(changes.length).toBeGreaterThan(30)
  // These only compute, preview or test something.
  expect(admitted.toSorted()).toEqual([
    'POST /api/admin/v1/models/preview',
    'POST /api/admin/v1/prices/simulate',
    'POST /api/admin/v1/routes/explain',
    'POST /api/admin/v1/routes/test',
  ])
})

it('a sign-in link works once and for half an hour', async () => {
  const rows = await service.store.database.selectFrom('api_key_secrets').select('digest').orderBy('no').execute()
  const usedLink = service.links.create(rows[0]?.digest ?? '')
  expect((await request('POST', '/console/session', { body: { code: usedLink } })).status).toBe(201)
  expect((await request('POST', '/console/session', { body: { code: usedLink } })).status).toBe(401)
  const oldLink = service.links.create(rows[0]?.digest ?? '')
  service.clockAheadMs += 31 * 60_000
  expect((await request('POST', '/console/session', { body: { code: oldLink } })).json.error.message).toContain('has expired')
})

it('too many failed sign-ins from a client address are rejected with 429, and a minute later a sign-in succeeds', async () => {
  service.clockAheadMs += 120_000
  const statuses: number[] = []
  for (let attempt = 0; attempt < 22; attempt++) {
    statuses.push((await request('POST', '/console/session', { body: { key: 'fg_live_wrong' } })).status)
  }
  expect([statuses[0], statuses.includes(429)]).toEqual([401, true])
  service.clockAheadMs += 60_000
  expect((await request('POST', '/console/session', { body: { key: service.key } })).status).toBe(201)
})

async function signInFrom(forwardedFor: string, key: string): Promise<number> {
  return (await request('POST', '/console/session', { body: { key }, headers: { 'x-forwarded-for': forwardedFor } })).status
}

it('behind a proxy, the failed sign-ins of one client do not lock out another, and a client cannot choose its address', async () => {
  service.clockAheadMs += 120_000
  const statuses: number[] = []
  for (let attempt = 0; attempt < 22; attempt++)
    statuses.push(await signInFrom(`192.0.2.${attempt}, 203.0.113.9`, 'fg_live_wrong'))
  expect([statuses[0], statuses.includes(429)]).toEqual([401, true])
  expect(await signInFrom('203.0.113.10', service.key)).toBe(201)
})

it('a client in the private network that pretends to be a proxy has at most 200 sign-in attempts per minute', async () => {
  service.clockAheadMs += 120_000
  const statuses: number[] = []
  for (let attempt = 0; attempt < 260; attempt++) statuses.push(await signInFrom(`192.0.2.${attempt}`, 'fg_live_wrong'))
  // The clock runs during the attempts, so a few more than 200 are permitted.
  expect([statuses[199], statuses.includes(429)]).toEqual([401, true])
})

it('the console page forbids inline scripts and foreign requests, its script is compressed and cached, and without the console there is no page', async () => {
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
  const jsonResponse = await request('GET', '/console/nothing')
  expect([jsonResponse.status, jsonResponse.json.error.code]).toEqual([404, 'route_not_found'])
  await using serviceWithoutConsole = await openHttpService()
  const missingPage = await fetch(`${serviceWithoutConsole.origin}/console`, { headers: { accept: 'text/html' } })
  expect([missingPage.status, (await missingPage.text()).includes('route_not_found')]).toEqual([404, true])
})
