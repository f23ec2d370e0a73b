import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUrlSigner } from '../../src/media/sign-url.ts'
import { openHttpService, type HttpService } from '../http-service.ts'

const video = Buffer.from('the video itself, which only its own link opens')
const planted = 'planted beside the database'

let service: HttpService
let link: URL
let otherLink: URL
beforeAll(async () => {
  service = await openHttpService()
  link = await makeVideo()
  otherLink = await makeVideo()
  writeFileSync(path.join(service.dataDir, 'planted.txt'), planted)
  writeFileSync(path.join(service.dataDir, 'media', 'planted.png'), planted)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

async function makeVideo(): Promise<URL> {
  const body = { model: 'vidDq3-turbo', prompt: 'a video', seconds: 5 }
  const { id } = (await service.request('POST', '/v2/model-center/tasks', { body })).json
  await service.startAll()
  await service.complete(id, { bytes: video, durationMs: 5000 })
  return new URL((await service.request('GET', `/v2/model-center/tasks/${id}`)).json.result_url)
}

/**
 * Requests the target without normalization. `service.request` would parse it as a URL.
 */
async function send(target: string): Promise<{ status: number; text: string }> {
  const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nConnection: close\r\n\r\n`)
  await once(socket, 'close')
  return { status: Number(text.split(' ')[1]), text }
}

describe('a result link', () => {
  it('a link opens its file with any Host header', async () => {
    expect((await send(link.pathname + link.search)).text).toContain(String(video))
    const otherHost = await service.fetch(link.href, {}, 'other.example')
    expect([otherHost.status, await otherHost.text()]).toEqual([200, String(video)])
  })

  it('a link with any changed character opens nothing', async () => {
    const target = link.pathname + link.search
    const openedUrls: string[] = []
    for (let index = 1; index < target.length; index++) {
      const replacement = target[index] === 'A' ? 'B' : 'A'
      const digit = target[index] === '7' ? '8' : '7'
      for (const changed of [replacement, digit]) {
        const { status, text } = await send(target.slice(0, index) + changed + target.slice(index + 1))
        if (status < 400 || status >= 500 || text.includes(String(video))) openedUrls.push(`${index}: ${changed} ${status}`)
      }
    }
    expect(openedUrls).toEqual([])
  })

  it.each<[string, () => string]>([
    ['the name of another file', () => otherLink.pathname + link.search],
    ['the signature of another file', () => `${link.pathname}${link.search.replace(/signature=.*/, signatureOf(otherLink))}`],
    [
      'a later expiry time',
      () => link.pathname + link.search.replace(/expires=(\d+)/, (_, end: string) => `expires=${Number(end) + 60}`),
    ],
    [
      'an earlier expiry time',
      () => link.pathname + link.search.replace(/expires=(\d+)/, (_, end: string) => `expires=${Number(end) - 60}`),
    ],
    ['two expiry times', () => `${link.pathname}?expires=9999999999&${link.search.slice(1)}`],
    ['two signatures', () => `${link.pathname}${link.search}&signature=${'A'.repeat(43)}`],
    ['no signature', () => `${link.pathname}${link.search.replace(/signature=.*/, '')}`],
    ['no query', () => link.pathname],
    ['names in capitals', () => `${link.pathname}${link.search.replace('signature', 'Signature')}`],
    ['an array', () => `${link.pathname}${link.search.replaceAll('=', '[]=')}`],
    ['a file name in capitals', () => link.pathname.replace('.mp4', '.MP4') + link.search],
    ['a space after its file name', () => `${link.pathname}%20${link.search}`],
    ['a zero byte after its file name', () => `${link.pathname}%00${link.search}`],
    ['a slash after its file name', () => `${link.pathname}/${link.search}`],
    ['another extension after its file name', () => `${link.pathname}.txt${link.search}`],
  ])('a link with %s opens nothing', async (_what, target) => {
    const { status, text } = await send(target())
    expect(text).not.toContain(String(video))
    expect([403, 404]).toContain(status)
  })

  const signer = createUrlSigner({ key: Buffer.alloc(32, 7), publicUrl: () => '', basePath: '/api', ttlSeconds: 600 })
  it.each([
    '../planted.png',
    '..%2fplanted.txt',
    'planted.png',
    '../../planted.txt',
    'asset_/../../planted.png',
    'asset_0197c0d100007000800000000000000a.png/../../planted.png',
    'task_0197c0d100007000800000000000000a.mp4/../planted.png',
    '/etc/passwd',
    'C:\\planted.txt',
    '.',
    '..',
    '__proto__',
    'constructor.prototype',
    `${'x'.repeat(3000)}.mp4`,
  ])('a link to %s opens nothing, even with a valid signature', async (name) => {
    const { url } = signer.sign(name, Math.floor(Date.now() / 1000))
    const { status, text } = await send(url)
    expect(text).not.toContain(planted)
    expect([403, 404, 410]).toContain(status)
  })
})

function signatureOf(url: URL): string {
  return `signature=${url.searchParams.get('signature')}`
}

const traversals = [
  '../planted.txt',
  '../../planted.txt',
  '..%2fplanted.txt',
  '..%2Fplanted.txt',
  '%2e%2e%2fplanted.txt',
  '%2e%2e/planted.txt',
  '..%5cplanted.txt',
  '..\\planted.txt',
  '..%252fplanted.txt',
  '%252e%252e%252fplanted.txt',
  '..%c0%afplanted.txt',
  '..%ef%bc%8fplanted.txt',
  '....//planted.txt',
  '.%00./planted.txt',
  'planted.txt%00.png',
  '/planted.txt',
  '%2fetc%2fpasswd',
  '~/planted.txt',
  'file:///etc/passwd',
]
const pathPrefixes = [
  '/api/media/',
  '/api/docs/',
  '/api/v2/assets/',
  '/api/v2/model-center/tasks/',
  '/api/v2/model-center/models/',
  '/api/',
  '/',
]

it.each(pathPrefixes)('no traversal in a path below %s returns a file outside the public folders', async (pathPrefix) => {
  for (const traversal of traversals) {
    const { status, text } = await send(pathPrefix + traversal)
    expect(text, pathPrefix + traversal).not.toContain(planted)
    expect(text, pathPrefix + traversal).not.toContain('root:')
    expect([400, 403, 404], `${pathPrefix}${traversal}: ${status}`).toContain(status)
  }
})
