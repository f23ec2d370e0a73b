import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Task } from '@framegate/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type StartedServer } from '../started-server.ts'
import { imageRows } from './make-images.ts'
import { quarters } from './image-row.ts'

const tasksPath = '/v2/model-center/tasks'

let dataDir: string
let imageServer: Server
let imagesUrl: string
let server: StartedServer
let validImage: string

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-hostile-'))
  imageServer = createServer(async (request, response) => {
    const name = decodeURIComponent(request.url?.slice(1) ?? '')
    if (name.startsWith('to ')) response.writeHead(302, { location: name.slice(3) }).end()
    else if (name === 'hang up') response.destroy()
    else if (name === 'gzip') response.setHeader('content-encoding', 'gzip').end('x')
    else if (name === 'large') response.setHeader('content-length', 1e12).write('x')
    else if (name === 'missing') response.writeHead(404).end()
    else response.setHeader('content-type', 'image/png').end(await makeFile(name))
  })
  await new Promise<void>((resolve) => imageServer.listen(0, '127.0.0.1', resolve))
  const { port } = imageServer.address() as AddressInfo
  imagesUrl = `http://127.0.0.1:${port}`
  server = await startServer(dataDir, { FRAMEGATE_ALLOW_HOSTS: `127.0.0.1:${port}` })
  validImage = dataUri(await quarters().png().toBuffer())
})

// Prints the log of a crashed service, because later failures only show that it does not respond.
afterEach(() => {
  const { exitCode, signalCode } = server.process
  expect({ exitCode, signalCode }, server.log()).toEqual({ exitCode: null, signalCode: null })
})

afterAll(async () => {
  await server.kill()
  imageServer.closeAllConnections()
  imageServer.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function makeFile(name: string): Promise<Uint8Array> {
  const row = imageRows.find((row) => row.name === name)
  if (row === undefined) throw new Error(`there is no file ${name}`)
  return await row.make()
}

const dataUri = (bytes: Uint8Array) => `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`
const imageUrl = (name: string) => `${imagesUrl}/${encodeURIComponent(name)}`

const bodyWith = (references: string[]) => ({ model: 'imgA-5.0', prompt: 'a lake', reference_images: references })

async function finishTask(body: object): Promise<Task> {
  const submitted = await server.request('POST', tasksPath, body)
  expect(submitted.status).toBe(202)
  const { id } = (await submitted.json()) as Task
  return (await (await server.request('GET', `${tasksPath}/${id}?wait=60`)).json()) as Task
}

async function readCredits(): Promise<{ balance: number; held: number }> {
  return (await (await server.request('GET', '/v2/credits')).json()) as { balance: number; held: number }
}

async function expectFailedWithoutCharge(reference: string, expected: string): Promise<void> {
  const creditsBefore = await readCredits()
  const task = await finishTask(bodyWith([validImage, validImage, reference]))
  expect(task).toMatchObject({ status: 'failed', error_code: 'invalid_input', amount: 0 })
  expect(task.error).toMatch(/^reference_images\/2: /)
  expect(task.error).toContain(expected)
  // The message contains no details of the library, the machine or the stack.
  expect(task.error).not.toMatch(/vips|lib(?:png|jpeg)|node:|\/packages\/|ECONN|127\.0/i)
  expect(await readCredits()).toMatchObject({ balance: creditsBefore.balance, held: 0 })
}

describe('references that are not usable images', () => {
  it.each([
    ['JPEG, cut at 50 %', 'damaged or incomplete'],
    ['JPEG, 49 megapixels in 800 scans', 'more than 100 scans'],
    ['JPEG, application segment longer than the file', 'damaged or incomplete'],
    ['PNG, 100000 x 100000', 'at most 50 megapixels'],
    ['PNG, 1 x 65535', 'at most 100 times the shorter'],
    ['PNG, wrong checksum of its pixels', 'damaged or incomplete'],
    ['WebP, noise for pixels', 'damaged or incomplete'],
    ['AVIF, announces 64 x 2139062143', 'at most 20 megapixels'],
    ['AVIF, brand before an SVG image', 'damaged or incomplete'],
    ['GIF, no frames', 'damaged or incomplete'],
  ])('an unusable reference image fails its task without a charge: %s', async (name, expected) => {
    await expectFailedWithoutCharge(dataUri(await makeFile(name)), expected)
    await expectFailedWithoutCharge(imageUrl(name), expected)
  })

  it.each([
    ['an SVG image that reads a file', 'an XML or SVG document'],
    ['a web page', 'a web page'],
    ['one byte', 'a file of unknown type'],
  ])('%s in place of an image fails its task as a URL, and is rejected at submit as a data URI', async (name, expected) => {
    await expectFailedWithoutCharge(imageUrl(name), expected)
    const creditsBefore = await readCredits()
    const reference = dataUri(await makeFile(name))
    for (const [path, body] of [
      [tasksPath, bodyWith([validImage, validImage, reference])],
      ['/v1/vidD/videos', { model: 'vidDq3-turbo', prompt: 'a lake', first_frame: reference }],
    ] as const) {
      const response = await server.request('POST', path, body)
      const { error } = (await response.json()) as { error: { code: string; message: string; param: string } }
      const field = path === tasksPath ? 'reference_images' : 'first_frame'
      expect([response.status, error.code, error.param]).toEqual([400, 'invalid_parameter', field])
      expect(error.message).toContain(expected)
    }
    expect(await readCredits()).toEqual(creditsBefore)
  })

  it.each([
    ['to http://169.254.169.254/latest/meta-data/', 'is not on a public host'],
    ['to http://localhost/', 'is not on a public host'],
    ['to file:///etc/passwd', 'does not start with https:// or http://'],
    ['to /missing', 'status 404'],
    ['hang up', 'was lost'],
    ['gzip', 'compressed'],
    ['large', 'larger than the'],
    ['missing', 'status 404'],
  ])('an unusable image address fails its task and charges nothing: %s', async (name, expected) => {
    await expectFailedWithoutCharge(imageUrl(name), expected)
  })

  it("the service's own address is rejected although another port of the host is allowed", async () => {
    await expectFailedWithoutCharge(`${server.baseUrl}/health`, 'is not on a public host')
  })
})

it('a task with unusual but valid images completes', async () => {
  const names = [
    'JPEG, EXIF orientation 6',
    'PNG, packed comment that expands to 200 megabytes',
    'PNG, with a web page in it and after it',
    'GIF, a million frames',
    'WebP, animated in 5000 frames',
  ]
  const task = await finishTask(bodyWith([...names.map(imageUrl), validImage]))
  expect(task).toMatchObject({ status: 'completed', error: null })
})

describe('addresses that can never be fetched', () => {
  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://168.63.129.16/',
    'http://0x7f000002/',
    'http://2130706434/',
    'http://[::ffff:127.0.0.2]/',
    'http://[64:ff9b::7f00:2]/',
    'http://localhost:8080/',
    'http://metadata.google.internal/',
    'http://①②⑦.⓪.⓪.②/',
  ])('an address that can never be fetched is rejected at submit: %s', async (address) => {
    const creditsBefore = await readCredits()
    const response = await server.request('POST', tasksPath, bodyWith([validImage, validImage, address]))
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { error: { code: string; errors: { pointer: string }[] } }
    expect(error).toMatchObject({ code: 'reference_unreachable', param: 'reference_images' })
    expect(error.errors).toMatchObject([{ pointer: '/reference_images/2' }])
    expect(await readCredits()).toEqual(creditsBefore)
  })
})

it('the service responds normally after the hostile requests, and has logged no error', async () => {
  expect(await finishTask({ model: 'imgA-5.0', prompt: 'a cat' })).toMatchObject({ status: 'completed' })
  expect(server.log()).not.toMatch(/"level":(?:50|60)|unhandled/i)
  // The library's message about an AVIF that declares an impossible size is logged as a regular
  // line.
  const lines = server.log().trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toContain('an image decoder reports')
})
