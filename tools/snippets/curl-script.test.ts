import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { pages } from './pages.ts'
import { runProgram } from './run-program.ts'

let folder: string
let downloadStatus: number
let baseUrl: string
const server = createServer((request, response) => {
  if (request.method === 'POST') {
    response.writeHead(202).end(JSON.stringify({ id: 'task_1', status: 'completed', result_url: `${baseUrl}/v/1.mp4` }))
    return
  }
  response.writeHead(downloadStatus).end(downloadStatus === 200 ? 'a video' : '{"error":{"code":"result_expired"}}')
})
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-curl-'))
  const script = pages
    .find(({ name }) => name === 'docs/guides/curl.md')
    ?.snippets.find(({ fileName }) => fileName === 'video.sh')?.text
  writeFileSync(path.join(folder, 'video.sh'), script ?? '')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  rmSync(folder, { recursive: true })
})

const runScript = () =>
  runProgram('sh', ['video.sh', 'a lighthouse', 'lighthouse.mp4'], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', FRAMEGATE_URL: baseUrl, FRAMEGATE_API_KEY: 'sk-of-a-test' },
  })

it('the script of the curl guide saves the video', async () => {
  downloadStatus = 200
  expect(await runScript()).toBe('lighthouse.mp4\n')
  expect(readFileSync(path.join(folder, 'lighthouse.mp4'), 'utf8')).toBe('a video')
})

it('the script of the curl guide fails if the download fails, and does not save the error as the video', async () => {
  downloadStatus = 410
  await expect(runScript()).rejects.toThrow('410')
  expect(existsSync(path.join(folder, 'lighthouse.mp4'))).toBe(false)
})
